const fields = "input:not(:disabled, [type=hidden]), textarea:not(:disabled), select:not(:disabled)";
/** Delay before a second check, because new data may remove or disable the focused element. */
const recheckMs = 500;

/**
 * Restores a lost focus to `target`: a control that was disabled while its call ran, or the element that opened a
 * dialog. If it is gone or disabled, focuses a field of its form, the topmost dialog or the page's h1, so that keyboard
 * users do not start over at the top of the page.
 */
export function restoreFocus(target: Element | null): void {
  if (document.activeElement !== document.body) return;
  const candidates = [target, target?.closest("form")?.querySelector(fields), findFallback()];
  for (const candidate of candidates) {
    if (candidate instanceof HTMLElement) candidate.focus({ preventScroll: true });
    if (document.activeElement !== document.body) break;
  }
  if (document.activeElement === target) setTimeout(restoreFocus, recheckMs, target);
}

function findFallback(): HTMLElement | null {
  const dialog = [...document.querySelectorAll<HTMLElement>("[role=dialog]")].at(-1);
  const element = dialog ?? document.querySelector<HTMLElement>("main h1");
  if (element) element.tabIndex = -1;
  return element;
}
