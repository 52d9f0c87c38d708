// Whoever works with the keyboard must not lose their place when what they used goes away.

const canHaveFocus = (element) => element.isConnected && !element.disabled && element.checkVisibility();

// Do something; if what had the focus cannot have it any more, it goes to where `home` says.
export function holding(home, update) {
  const had = document.activeElement;
  const result = update();
  const lost = had && had !== document.body && !canHaveFocus(had);
  if (lost && [had, document.body].includes(document.activeElement)) home()?.focus({ preventScroll: true });
  return result;
}
