import { type Dispatch, type SetStateAction, useLayoutEffect, useState, useSyncExternalStore } from "react";

/**
 * State that begins with what this browser has kept. While the server's HTML is being taken over, it is `served`, which
 * the server rendered, for one render that nobody sees.
 */
export function useBrowserState<T>(served: T, read: () => T): [T, Dispatch<SetStateAction<T>>] {
  const isLive = useLive();
  const [state, setState] = useState(() => (isLive ? read() : served));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the takeover
  useLayoutEffect(() => {
    if (!isLive) setState(read());
  }, []);
  return [state, setState];
}

/** False on the server, and while its HTML is being taken over. */
export function useLive(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
