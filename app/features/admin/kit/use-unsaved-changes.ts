import { useEffect } from "react";
import { type Blocker, useBlocker } from "react-router";

/** While there are unsaved changes, holds back leaving: within the panel until it is answered, else by the browser's own question. */
export function useUnsavedChanges(isDirty: boolean): Blocker {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
  return blocker;
}
