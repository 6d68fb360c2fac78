/**
 * Gives the focus back to what had it, where it was lost: to a control that was disabled while it worked, or to what opened
 * a dialog. If that is gone meanwhile, the dialog on top has it, or else the page's h1: never the page's very beginning.
 */
export function giveFocusBack(to: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  if (document.activeElement !== document.body) return;
  const dialog = [...document.querySelectorAll<HTMLElement>("[role=dialog]")].at(-1);
  const instead = dialog ?? document.querySelector<HTMLElement>("main h1");
  if (!instead) return;
  instead.tabIndex = -1;
  instead.focus({ preventScroll: true });
}
