/** Calls `work` once the page and its first pictures have loaded. */
export function whenLoaded(work: () => void): void {
  if (document.readyState === "complete") work();
  else addEventListener("load", work, { once: true });
}
