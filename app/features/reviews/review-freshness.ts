/** For so long (ms) a list that was read is not read anew. */
export const freshMs = 5 * 60_000;

/** Calls `begin` when the shopper comes back, or is online again, and what was read at `readAt` (epoch ms) is not fresh any more. */
export function whenBackAndStale(readAt: () => number, begin: () => void): () => void {
  const check = () => {
    if (document.visibilityState === "visible" && Date.now() - readAt() >= freshMs) begin();
  };
  const news = ["visibilitychange", "online"];
  for (const event of news) window.addEventListener(event, check);
  return () => {
    for (const event of news) window.removeEventListener(event, check);
  };
}
