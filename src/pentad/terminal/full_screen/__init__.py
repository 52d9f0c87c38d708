"""The full-screen terminal: a session in a thread of its own, and an app that shows it and takes keys and clicks.

`display` joins the two, `view` is what one sends to the other, `layout` turns it into lines of styled text, `targets`
finds the choices on the board, and `app` draws. Only `app`, `widgets` and `windows` import Textual.
"""

# For each theme the board, and the theme of everything around it.
THEMES = {
    "wood": ("wood", "textual-dark"),
    "slate": ("slate", "textual-dark"),
    "felt": ("felt", "textual-dark"),
    "light": ("wood", "textual-light"),
}
