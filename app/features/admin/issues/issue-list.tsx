import { useState } from "react";
import { Link } from "react-router";
import type { AttentionMatter } from "../../../../domain/admin/admin.ts";
import { Button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { MatterLink } from "./issue-link.tsx";

/** More of them would push all else out of sight. */
const openMax = 3;

/** Matters that a person has to decide, oldest first, each with the way to its order and to closing it. */
export function AttentionList({ matters }: { matters: AttentionMatter[] }) {
  const [closing, setClosing] = useState<AttentionMatter | null>(null);
  const rest = matters.slice(openMax);
  return (
    <>
      <Matters matters={matters.slice(0, openMax)} onClose={setClosing} />
      {rest.length > 0 && (
        <Disclosure title={`${rest.length} more`}>
          <Matters matters={rest} onClose={setClosing} />
        </Disclosure>
      )}
      {closing && <CloseMatter matter={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

function Matters({
  matters,
  onClose,
}: {
  matters: AttentionMatter[];
  onClose: (matter: AttentionMatter) => void;
}) {
  return (
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
              <MatterLink dueAt={matter.dueAt} url={matter.url} />
              <Button variant="secondary" size="small" onClick={() => onClose(matter)}>
                Mark as settled
              </Button>
            </div>
          </Banner>
        </li>
      ))}
    </ul>
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
