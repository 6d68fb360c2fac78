import type { ReminderState } from "./use-reminder.ts";

const notes: Record<ReminderState, string> = {
  off: "One email after four hours, and none if you order.",
  on: "Saved. One email after four hours, and none if you order.",
  unsaved: "We couldn’t save this, so no email will come. You can still order.",
  stuck: "We couldn’t turn this off. Please try again.",
};

/** Asks whether the cart may be e-mailed; never ticked unless the shopper did. */
export function ReminderBox({
  isWanted,
  state,
  onChange,
}: {
  isWanted: boolean;
  state: ReminderState;
  onChange: (isWanted: boolean) => void;
}) {
  return (
    <div className="-mt-5 noscript:hidden">
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={isWanted}
          aria-describedby="reminder-note"
          onChange={(event) => onChange(event.target.checked)}
          className="size-5 shrink-0 accent-forest-800"
        />
        Email me this cart once if I don't finish
      </label>
      <p id="reminder-note" role="status" className="pl-8 text-caption text-ink-muted">
        {notes[state]}
      </p>
    </div>
  );
}
