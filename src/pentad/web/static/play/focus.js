// Keyboard focus: moves to another element when the focused one disappears.

/** @param {Element & { disabled?: boolean }} element */
const canHaveFocus = (element) => element.isConnected && !element.disabled && element.checkVisibility();

// Runs an update; if the focused element can have the focus no longer, the element that `fallback` returns gets it. In an
// update within another one, an element that the outer one has hidden is its affair.
/** @template T @param {() => HTMLElement | SVGElement | null} fallback @param {() => T} update */
export function keepFocus(fallback, update) {
  const had = document.activeElement;
  const hadFocus = had && had !== document.body && canHaveFocus(had);
  const result = update();
  if (hadFocus && !canHaveFocus(had) && (document.activeElement === had || document.activeElement === document.body)) fallback()?.focus({ preventScroll: true });
  return result;
}
