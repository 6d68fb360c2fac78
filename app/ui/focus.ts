const fields = "input:not(:disabled, [type=hidden]), textarea:not(:disabled), select:not(:disabled)";
/** The page's new data may take away a moment later what has the focus by then. */
const laterMs = 500;

/**
 * Gives the focus back to what had it, where it was lost: to a control that was disabled while it worked, or to what opened
 * a dialog. If that is gone or disabled meanwhile, a field of its form has it, the dialog on top, or else the page's h1:
 * never the page's very beginning.
 */
export function giveFocusBack(to: Element | null): void {
  if (document.activeElement !== document.body) return;
  const candidates = [to, to?.isConnected ? to.closest("form")?.querySelector(fields) : null, instead()];
  for (const candidate of candidates) {
    if (candidate instanceof HTMLElement) candidate.focus({ preventScroll: true });
    if (document.activeElement !== document.body) break;
  }
  if (document.activeElement === to) setTimeout(() => !to?.isConnected && giveFocusBack(null), laterMs);
}

function instead(): HTMLElement | null {
  const dialog = [...document.querySelectorAll<HTMLElement>("[role=dialog]")].at(-1);
  const element = dialog ?? document.querySelector<HTMLElement>("main h1");
  if (element && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  return element;
}
