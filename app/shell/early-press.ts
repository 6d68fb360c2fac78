declare global {
  interface Window {
    /** The button of a form to buy, or of checkout's, that was pressed before the page's scripts had come. */
    earlyPress?: HTMLButtonElement | null;
    /** Where on the screen the last click was that a pointer made. */
    lastClick?: readonly [x: number, y: number];
  }
}

/** Longest wait (ms) for the scripts; the form is then sent to the server, which can sell without them. */
const patienceMs = 6_000;

/**
 * Script of the page itself, there with the first paint: keeps the press of a button to buy, shows that it was heard, and
 * leaves it to the form's component, which carries it out once, as soon as it is alive. A second press is the same wish.
 * A page that comes back out of the browser's memory is not busy any more.
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
    }, ${patienceMs});
  }, true);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    sent = window.earlyPress = null;
    clearTimeout(timer);
    for (const button of document.querySelectorAll("[data-buy] [aria-busy]")) button.removeAttribute("aria-busy");
  });
})()`.replaceAll(/\s*\n\s*/g, "");
