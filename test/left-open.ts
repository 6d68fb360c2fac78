/** Functions that close what the running test file has open, oldest first. */
const closers = new Set<() => Promise<void>>();

/**
 * Returns `close` for the test file to call. If the file fails before it does, `closeLeftOpen` calls it, so that neither
 * connections nor background work stay until the end of the run.
 */
export function closedWithFile(close: () => Promise<void>): () => Promise<void> {
  const closeOnce = () => {
    closers.delete(closeOnce);
    return close();
  };
  closers.add(closeOnce);
  return closeOnce;
}

/** Closes what is left open, newest first. */
export async function closeLeftOpen(): Promise<void> {
  // A shop closes its database itself.
  for (const close of [...closers].reverse()) if (closers.has(close)) await close();
}
