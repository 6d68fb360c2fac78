import { Button } from "../../../ui/button.tsx";
import { LeaveGuard } from "./leave-guard.tsx";

/**
 * At the end of a `<form>`: Save and Discard, in sight for as long as something is changed. Leaving the page then asks
 * first. Save submits the form.
 */
export function SaveBar({
  isDirty,
  isShown = isDirty,
  busy,
  onDiscard,
  words = "Unsaved changes",
  saveLabel = "Save changes",
  busyText = "Saving...",
}: {
  isDirty: boolean;
  isShown?: boolean;
  busy: boolean;
  /** Missing where there is nothing to discard. */
  onDiscard?: (() => void) | undefined;
  /** The bar's message: "Unsaved changes". */
  words?: string;
  saveLabel?: string;
  busyText?: string;
}) {
  return (
    <>
      {isShown && (
        <div className="sticky bottom-(--admin-bar-h) z-(--z-sticky) mt-6 -mx-(--gutter) flex flex-wrap items-center gap-3 border-t border-line bg-paper px-(--gutter) py-3 shadow-bar md:mx-0 md:rounded-md md:px-5">
          <span className="mr-auto text-small text-ink-muted max-sm:sr-only" role="status">
            {words}
          </span>
          {onDiscard && (
            <Button
              variant="quiet"
              size="small"
              className="max-sm:mr-auto max-sm:-ml-3"
              disabled={busy}
              onClick={onDiscard}
            >
              Discard
            </Button>
          )}
          <Button type="submit" size="small" busy={busy} busyText={busyText}>
            {saveLabel}
          </Button>
        </div>
      )}
      <LeaveGuard isDirty={isDirty} />
    </>
  );
}
