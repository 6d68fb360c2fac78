import { useEffect } from "react";
import { type Blocker, useBlocker } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

/** Asks before a page with unsaved changes is left. Once a page: a browser's history can be held back by one alone. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useUnsavedChanges(isDirty);
  return (
    <Dialog
      open={blocker.state === "blocked"}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      title="Leave without saving?"
      description="What you changed on this page has not been saved."
      actions={
        <>
          <Button variant="secondary" size="small" onClick={() => blocker.reset?.()}>
            Stay here
          </Button>
          <Button variant="danger" size="small" onClick={() => blocker.proceed?.()}>
            Leave without saving
          </Button>
        </>
      }
    />
  );
}

/** While there are unsaved changes, holds back leaving: within the panel until it is answered, else by the browser's own question. */
function useUnsavedChanges(isDirty: boolean): Blocker {
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
