/** Answers with what `load` gave at most `keptMs` ago; all who come while it loads wait for the same answer. */
export function keptFor<T>(keptMs: number, now: () => Date, load: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; value: Promise<T> } | null = null;
  return () => {
    const at = now().getTime();
    if (kept && at - kept.at < keptMs) return kept.value;
    const value = load();
    kept = { at, value };
    value.catch(() => {
      if (kept?.value === value) kept = null;
    });
    return value;
  };
}

/**
 * The same for what is slow to make and may be a little older: between `keptMs` and `staleMs` the old answer is given at
 * once while a new one is made.
 */
export function refreshed<T>(
  keptMs: number,
  staleMs: number,
  now: () => Date,
  load: () => Promise<T>,
): () => Promise<T> {
  let kept: { at: number; value: T } | null = null;
  const loadOnce = keptFor(keptMs, now, async () => {
    const at = now().getTime();
    const value = await load();
    kept = { at, value };
    return value;
  });
  return () => {
    const age = kept === null ? Number.POSITIVE_INFINITY : now().getTime() - kept.at;
    const next = loadOnce();
    if (kept === null || age >= staleMs) return next;
    // Whoever asks next hears of a failure, or of the new answer.
    next.catch(() => {});
    return Promise.resolve(kept.value);
  };
}
