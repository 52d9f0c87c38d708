// Keyboard focus: moves to another element when the focused one disappears.

const canHaveFocus = (element) => element.isConnected && !element.disabled && element.checkVisibility();

// Runs an update; if the focused element can no longer have the focus, the element that `fallback` returns gets it.
export function keepFocus(fallback, update) {
  const had = document.activeElement;
  const result = update();
  const lost = had && had !== document.body && !canHaveFocus(had);
  if (lost && [had, document.body].includes(document.activeElement)) fallback()?.focus({ preventScroll: true });
  return result;
}
