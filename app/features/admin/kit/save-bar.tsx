import { useEffect } from "react";
import { type Blocker, useBlocker } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

/**
 * Save and Discard at the end of a `<form>`, in view while there are unsaved changes. Leaving the page then asks first.
 * Save submits the form.
 */
export function SaveBar({
  isDirty,
  isShown = isDirty,
  busy,
  onDiscard,
  words = "Unsaved changes",
  detail,
  saveLabel = "Save changes",
  busyText = "Saving...",
  form,
}: {
  isDirty: boolean;
  isShown?: boolean;
  busy: boolean;
  /** Missing: there is no Discard button. */
  onDiscard?: (() => void) | undefined;
  /** The bar's message: "Unsaved changes". */
  words?: string;
  /** Below it: what is changed. The bar's message is then shown on phones, too. */
  detail?: string;
  saveLabel?: string;
  busyText?: string;
  /** The id of the form that Save submits, if the bar is outside it. */
  form?: string;
}) {
  return (
    <>
      {isShown && (
        <div className="sticky bottom-(--admin-bar-h) z-(--z-sticky) mt-6 -mx-(--gutter) flex flex-wrap items-center gap-3 border-t border-line bg-paper px-(--gutter) py-3 shadow-bar md:mx-0 md:rounded-md md:px-5">
          <span
            className={`mr-auto min-w-0 flex-1 text-small text-ink-muted ${detail === undefined ? "max-sm:sr-only" : ""}`}
            role="status"
          >
            {detail === undefined ? words : <strong className="font-semibold text-ink">{words}</strong>}
            {detail !== undefined && <span className="block truncate">{detail}</span>}
          </span>
          {onDiscard && (
            <Button
              variant="quiet"
              size="small"
              className={detail === undefined ? "max-sm:mr-auto max-sm:-ml-3" : ""}
              disabled={busy}
              onClick={onDiscard}
            >
              Discard
            </Button>
          )}
          <Button type="submit" form={form} size="small" busy={busy} busyText={busyText}>
            {saveLabel}
          </Button>
        </div>
      )}
      <LeaveGuard isDirty={isDirty} />
    </>
  );
}

/** Asks before a page with unsaved changes is left. Use it once per page: the router allows only one blocker. */
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

/**
 * Blocks leaving while there are unsaved changes: within the panel until the user has answered, otherwise by the browser's
 * own dialog.
 */
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
