declare global {
  interface Window {
    /** The button of a buy form or of checkout that was pressed before the page's scripts were loaded. */
    earlyPress?: HTMLButtonElement | null;
    /** Position of the last pointer click on the screen. */
    lastClick?: readonly [x: number, y: number];
  }
}

/** Longest wait for the scripts; after it, the browser sends the form to the server. */
const scriptTimeoutMs = 6_000;

/**
 * An inline script that works from the first paint: it stores the press of a buy button and marks the button as busy. The
 * form's component handles the press once it is hydrated; further presses are ignored. A page restored from the browser's
 * back-forward cache is no longer busy.
 */
export const earlyPressScript = `(() => {
  let sent, timer;
  addEventListener("click", (event) => {
    if (event.detail > 0) window.lastClick = [event.clientX, event.clientY];
  }, true);
  addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter;
    if (form.dataset.buy !== "" || form === sent || !button) return;
    event.preventDefault();
    event.stopPropagation();
    if (window.earlyPress) return;
    window.earlyPress = button;
    button.setAttribute("aria-busy", "true");
    timer = setTimeout(() => {
      if (window.earlyPress !== button) return;
      window.earlyPress = null;
      sent = form;
      form.requestSubmit(button);
    }, ${scriptTimeoutMs});
  }, true);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    sent = window.earlyPress = null;
    clearTimeout(timer);
    for (const button of document.querySelectorAll("[data-buy] [aria-busy]")) button.removeAttribute("aria-busy");
  });
})()`.replaceAll(/\s*\n\s*/g, "");
