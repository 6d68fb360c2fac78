import type { ModeratedReview } from "../../../../domain/reviews/review.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useAdminForm } from "../kit/use-admin-form.ts";

/** The owner's answer under a review: written, changed, taken away. */
export function ReplyDialog({ review, onClose }: { review: ModeratedReview; onClose: () => void }) {
  const form = useAdminForm(
    "PATCH /api/admin/reviews/:id",
    { reply: review.reply ?? "" },
    { success: { title: "Reply saved" } },
  );
  const { reply } = form.values;
  const remove = useAdminAction("PATCH /api/admin/reviews/:id", {
    success: { title: "Reply removed" },
    failure: null,
  });
  const isBusy = form.busy || remove.busy;
  const problem = form.problem ?? remove.problem;
  const params = { id: review.id };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !isBusy && onClose()}
      title={review.reply === null ? "Reply to this review" : "Edit your reply"}
      description="Shoppers read it under the review, with the shop’s name."
      actions={
        <>
          {review.reply !== null && (
            <Button
              variant="danger-quiet"
              size="small"
              disabled={isBusy}
              busy={remove.busy}
              busyText="Removing..."
              onClick={async () => {
                if ((await remove.run({ params, body: { reply: null } })).ok) onClose();
              }}
            >
              Remove reply
            </Button>
          )}
          <Button variant="secondary" size="small" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="small"
            busy={form.busy}
            busyText="Saving..."
            disabled={isBusy || reply.trim() === "" || reply.trim() === review.reply}
            onClick={async () => {
              if ((await form.run({ params, body: { reply } })).ok) onClose();
            }}
          >
            Save reply
          </Button>
        </>
      }
    >
      <blockquote className="mt-4 border-l-2 border-line pl-3 text-small whitespace-pre-line text-ink-muted wrap-anywhere">
        {review.comment}
      </blockquote>
      <TextArea {...form.field("reply")} className="mt-4" label="Your reply" maxLength={1000} />
      {problem && !form.fields.reply && (
        <Banner className="mt-4" title="The reply was not saved.">
          {problem.message}
        </Banner>
      )}
    </Dialog>
  );
}
