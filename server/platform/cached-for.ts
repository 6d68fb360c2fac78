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
