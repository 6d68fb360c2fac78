import { type Dispatch, type SetStateAction, useLayoutEffect, useState, useSyncExternalStore } from "react";

/**
 * State whose initial value is read from this browser's storage. The server and the first render of hydration
 * use `serverValue`; it is replaced before the browser paints.
 */
export function useBrowserState<T>(serverValue: T, read: () => T): [T, Dispatch<SetStateAction<T>>] {
  const isHydrated = useHydrated();
  const [state, setState] = useState(() => (isHydrated ? read() : serverValue));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useLayoutEffect(() => {
    if (!isHydrated) setState(read());
  }, []);
  return [state, setState];
}

/** False on the server and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}

/** Listeners for a value outside React: pass `subscribe` to `useSyncExternalStore`, and call `notify` after each change. */
export function changeListeners() {
  const listeners = new Set<() => void>();
  return {
    notify(): void {
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
