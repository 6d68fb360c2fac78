/** Caches the result of `load` for `cachedMs`. Concurrent callers share one promise. Failures are not cached. */
export function cachedFor<T>(cachedMs: number, now: () => Date, load: () => Promise<T>): () => Promise<T> {
  let cached: { at: number; value: Promise<T> } | null = null;
  return () => {
    const at = now().getTime();
    if (cached && at - cached.at < cachedMs) return cached.value;
    const value = load();
    cached = { at, value };
    value.catch(() => {
      if (cached?.value === value) cached = null;
    });
    return value;
  };
}
