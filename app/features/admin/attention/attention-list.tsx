import { useState } from "react";
import { Link } from "react-router";
import type { AttentionMatter } from "../../../../domain/admin.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Matters that a person has to decide, oldest first, each with the way to its order and to closing it. */
export function AttentionList({ matters }: { matters: AttentionMatter[] }) {
  const [closing, setClosing] = useState<AttentionMatter | null>(null);
  if (matters.length === 0) return <p className="text-ink-muted">Nothing waits for you.</p>;
  return (
    <>
      <ul className="grid gap-3">
        {matters.map((matter) => (
          <li key={matter.id}>
            <Banner
              tone="warning"
              title={matter.orderNumber === null ? "No order:" : `Order #${matter.orderNumber}:`}
            >
              <span className="wrap-anywhere">{matter.message}</span>{" "}
              <span className="text-small whitespace-nowrap text-ink-muted">
                <ShortDay iso={matter.createdAt} />
              </span>
              <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
                {matter.orderId !== null && (
                  <Link
                    className="link inline-flex min-h-11 items-center"
                    to={`/admin/orders/${matter.orderId}`}
                  >
                    Open the order
                  </Link>
                )}
                <Button variant="secondary" size="small" onClick={() => setClosing(matter)}>
                  Mark as settled
                </Button>
              </div>
            </Banner>
          </li>
        ))}
      </ul>
      {closing && <CloseMatter matter={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

function CloseMatter({ matter, onClose }: { matter: AttentionMatter; onClose: () => void }) {
  const [note, setNote] = useState("");
  const close = useAdminAction({ success: { title: "Marked as settled" }, failure: null });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Is this settled?"
      description={matter.message}
      confirmLabel="Mark as settled"
      busyText="Saving..."
      busy={close.busy}
      problem={close.fields.note ? null : close.problem}
      danger={false}
      onConfirm={async () => {
        const answer = await close.run("POST", `/api/admin/attention/${matter.id}/resolve`, {
          body: { note },
        });
        if (answer.ok) onClose();
      }}
    >
      <TextArea
        className="mt-4"
        name="note"
        label="What was done"
        optional
        maxLength={500}
        hint="Kept with the matter, for you."
        error={close.fields.note}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </ConfirmDialog>
  );
}
