// The colour theme: light, dark, high contrast or automatic; runs before the page is painted.
(() => {
  /** @type {Record<string, string>} */
  const LABELS = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark", contrast: "Theme: contrast" };
  const THEMES = Object.keys(LABELS);
  const stored = () => {
    try {
      const name = localStorage.getItem("theme") ?? "";
      return THEMES.includes(name) ? name : "auto";
    } catch {
      return "auto";
    }
  };
  let theme = stored();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    const label = document.getElementById("theme-label");
    if (label) label.textContent = LABELS[theme];
  };
  apply();
  dark.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme")?.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // The browser stores nothing.
      }
      apply();
    });
  });
})();
