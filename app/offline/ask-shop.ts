const answerMs = 4_000;

/** Whether the shop can be reached now. */
export async function askShop(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(answerMs) })).ok;
  } catch {
    return false;
  }
}
