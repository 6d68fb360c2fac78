import { type ReactNode, useEffect, useState } from "react";
import { type Blocker, type NavigateOptions, useBlocker, useNavigate } from "react-router";
import { Dialog } from "../../../../ui/dialog.tsx";
import { useHiddenBottomBar } from "../../shell/admin-nav.tsx";
import { PanelButton } from "../action-button.tsx";

/**
 * Save and Discard at the end of a `<form>`, in view while there are unsaved changes. Leaving the page then asks for confirmation.
 * Save submits the form.
 */
export function SaveBar({
  isDirty,
  isShown = isDirty,
  busy,
  onDiscard,
  message = "Unsaved changes",
  detail,
  saveLabel = "Save changes",
  form,
}: {
  isDirty: boolean;
  isShown?: boolean;
  busy: boolean;
  /** Without it, there is no Discard button. */
  onDiscard?: (() => void) | undefined;
  message?: string;
  /** A second line that names the changes. With it, the message is visible on phones, too. */
  detail?: string;
  saveLabel?: string;
  /** The id of the form that Save submits, if the bar is outside it. */
  form?: string;
}) {
  return (
    <>
      {isShown && (
        <ActionBar isInUse>
          <span
            className={`mr-auto min-w-0 flex-1 text-small text-ink-muted ${detail === undefined ? "max-sm:sr-only" : ""}`}
            role="status"
          >
            {detail === undefined ? message : <strong className="font-semibold text-ink">{message}</strong>}
            {detail !== undefined && <span className="block truncate">{detail}</span>}
          </span>
          {onDiscard && (
            <PanelButton
              variant="quiet"
              className={detail === undefined ? "max-sm:mr-auto max-sm:-ml-3" : ""}
              disabled={busy}
              onClick={onDiscard}
            >
              Discard
            </PanelButton>
          )}
          <PanelButton
            variant="primary"
            type="submit"
            form={form}
            className={onDiscard ? "" : "max-sm:ml-auto"}
            busy={busy}
            busyText="Saving..."
          >
            {saveLabel}
          </PanelButton>
        </ActionBar>
      )}
      <LeaveGuard isDirty={isDirty} />
    </>
  );
}

/**
 * Actions of a page. From 1024 px they stay in view at the bottom; on smaller screens they replace the phone's menu while
 * `isInUse`, so that they cover nothing, and otherwise follow the content.
 */
export function ActionBar({ isInUse, children }: { isInUse: boolean; children: ReactNode }) {
  return (
    <div
      data-action-bar
      className={`flex items-center gap-2 border-line bg-paper max-lg:px-(--gutter) lg:sticky lg:bottom-0 lg:z-(--z-sticky) lg:mt-6 lg:gap-3 lg:rounded-md lg:border-t lg:px-5 lg:py-3 lg:shadow-bar ${isInUse ? "max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-(--z-buybar) max-lg:min-h-(--admin-bar-h) max-lg:border-t max-lg:pt-2 max-lg:pb-[calc(.5rem+env(safe-area-inset-bottom))] max-lg:shadow-bar" : "max-lg:mt-6 max-lg:-mx-(--gutter) max-lg:flex-wrap max-lg:border-y max-lg:py-3"}`}
    >
      {isInUse && <HideBottomBar />}
      {children}
    </div>
  );
}

function HideBottomBar() {
  useHiddenBottomBar();
  return null;
}

/** Asks before a page with unsaved changes is left. Use it once per page: the router allows only one blocker. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useUnsavedChanges(isDirty);
  return (
    <Dialog
      open={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      description="Your changes on this page have not been saved."
      actions={
        <>
          <PanelButton onClick={() => blocker.reset?.()}>Stay here</PanelButton>
          <PanelButton variant="danger" onClick={() => blocker.proceed?.()}>
            Leave without saving
          </PanelButton>
        </>
      }
    />
  );
}

/**
 * Leaves a page after its form was saved, but not before the render in which the form counts as saved: leaving earlier
 * would ask about unsaved changes.
 */
export function useLeaving(options: NavigateOptions = {}) {
  const [destination, setDestination] = useState<string | null>(null);
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once there is a destination
  useEffect(() => {
    if (destination !== null) void navigate(destination, options);
  }, [destination]);
  return { isLeaving: destination !== null, leave: setDestination };
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
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventUnload);
    return () => window.removeEventListener("beforeunload", preventUnload);
  }, [isDirty]);
  return blocker;
}
