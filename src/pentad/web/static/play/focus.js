// Keyboard focus: moves to another element when the focused one disappears.

/** @param {Element & { disabled?: boolean }} element */
const canHaveFocus = (element) => element.isConnected && !element.disabled && element.checkVisibility();

// Runs an update; if the focused element can no longer have the focus, the element that `fallback` returns gets it.
/** @template T @param {() => HTMLElement | SVGElement | null} fallback @param {() => T} update */
export function keepFocus(fallback, update) {
  const had = document.activeElement;
  const result = update();
  const lost = had && had !== document.body && !canHaveFocus(had);
  if (lost && (document.activeElement === had || document.activeElement === document.body)) fallback()?.focus({ preventScroll: true });
  return result;
}
