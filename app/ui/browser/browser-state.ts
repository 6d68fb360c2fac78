import { type Dispatch, type SetStateAction, useLayoutEffect, useState, useSyncExternalStore } from "react";

/**
 * State whose initial value is read from this browser's storage. The first render of hydration uses `served`, as the server
 * did; it is replaced before the browser paints.
 */
export function useBrowserState<T>(served: T, read: () => T): [T, Dispatch<SetStateAction<T>>] {
  const isLive = useLive();
  const [state, setState] = useState(() => (isLive ? read() : served));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useLayoutEffect(() => {
    if (!isLive) setState(read());
  }, []);
  return [state, setState];
}

/** False on the server and during hydration. */
export function useLive(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
