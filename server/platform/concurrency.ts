/**
 * Runs `work` for each item, at most `concurrency` of them at once, and waits for all. The first error stops further items
 * and is thrown once the running ones are done.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let isStopped = false;
  const worker = async () => {
    try {
      while (!isStopped) {
        const { done, value } = await iterator.next();
        if (done) return;
        await work(value);
      }
    } finally {
      isStopped = true;
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  await iterator.return?.();
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}
