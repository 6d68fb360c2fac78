/** Time (ms) for which a list counts as fresh and is not read again. */
export const freshMs = 5 * 60_000;

/** Calls `start` when the shopper returns or is online again, if the data read at `readAt` (epoch ms) are no longer fresh. */
export function onReturnIfStale(readAt: () => number, start: () => void): () => void {
  const check = () => {
    if (document.visibilityState === "visible" && Date.now() - readAt() >= freshMs) start();
  };
  const events = ["visibilitychange", "online"];
  for (const event of events) window.addEventListener(event, check);
  return () => {
    for (const event of events) window.removeEventListener(event, check);
  };
}
