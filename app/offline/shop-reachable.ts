const timeoutMs = 4_000;

export async function isShopReachable(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}
