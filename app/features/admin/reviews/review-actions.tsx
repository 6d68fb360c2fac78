import Trash2 from "lucide-react/icons/trash-2";
import type { ModeratedReview } from "../../../../domain/reviews/review.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { ActionButton, DialogButton, PanelButton } from "../kit/action-button.tsx";
import { ButtonWithConfirmation, ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction, useAdminForm } from "../kit/use-admin-action.ts";

/** Actions on one review. */
export function ReviewActions({ review }: { review: ModeratedReview }) {
  const reviewName = `review by ${review.customerName?.trim() || "Anonymous"}`;
  return (
    <div className="flex flex-wrap gap-2 max-md:mt-2 max-md:*:px-3 max-md:*:not-last:grow md:ml-auto md:w-57 md:justify-end xl:w-65">
      {review.status !== "published" && (
        <ActionButton
          call="PATCH /api/admin/reviews/:id"
          success={{ title: "Review published" }}
          variant="primary"
          aria-label={`Publish ${reviewName}`}
          busyText="Publishing..."
          send={(run) => run({ params: { id: review.id }, body: { status: "published" } })}
        >
          Publish
        </ActionButton>
      )}
      {review.status !== "hidden" && (
        <DialogButton
          aria-label={`Hide ${reviewName}`}
          dialog={(onClose) => <HideReviewDialog review={review} onClose={onClose} />}
        >
          Hide
        </DialogButton>
      )}
      <DialogButton
        aria-label={`${review.reply === null ? "Reply to" : "Edit reply to"} ${reviewName}`}
        dialog={(onClose) => <ReplyDialog review={review} onClose={onClose} />}
      >
        {review.reply === null ? "Reply" : "Edit reply"}
      </DialogButton>
      <ButtonWithConfirmation
        label={
          <>
            <Icon glyph={Trash2} size="small" /> <span className="sr-only">Delete</span>
          </>
        }
        variant="quiet"
        className="min-w-11 text-ink-muted!"
        buttonLabel={`Delete ${reviewName}`}
        title="Delete this review?"
        description={`The ${reviewName} will be removed from the shop. This cannot be undone; hiding can.`}
        confirmLabel="Delete review"
        busyText="Deleting..."
        call="DELETE /api/reviews/:id"
        success={{ title: "Review deleted", description: "Your review has been successfully deleted." }}
        send={async (run) => {
          const response = await run({ params: { id: review.id } });
          if (!response.ok)
            toast({
              title: "Error",
              description: "Failed to delete review. Please try again.",
              tone: "danger",
            });
          return response;
        }}
      />
    </div>
  );
}

/** Hiding a rating up to this requires a reason; the server checks it, too. */
const maxPoorRating = 2;

/** Asks for the reason before a review is hidden. */
function HideReviewDialog({ review, onClose }: { review: ModeratedReview; onClose: () => void }) {
  const form = useAdminForm(
    "PATCH /api/admin/reviews/:id",
    { reason: "" },
    { success: { title: "Review hidden" } },
  );
  const { reason } = form.values;
  const isPoor = review.rating <= maxPoorRating;
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Hide this review?"
      description={
        isPoor
          ? "It disappears from the shop’s pages and no longer counts in the average. Hiding a poor review requires a reason: shoppers trust a shop that shows them."
          : "It disappears from the shop’s pages and no longer counts in the average. You can publish it again."
      }
      confirmLabel="Hide review"
      busyText="Hiding..."
      form={{ busy: form.busy, problem: form.fields.reason ? null : form.problem }}
      danger={false}
      send={() => form.run({ params: { id: review.id }, body: { status: "hidden", reason } })}
    >
      <TextArea
        {...form.field("reason")}
        className="mt-4"
        label="Reason"
        hint="Shown in Activity. The review’s author sees it only in a copy of their data. Leave out names."
        optional={!isPoor}
        required={isPoor}
        maxLength={500}
      />
    </ConfirmDialog>
  );
}

/** Writes, edits or removes the owner's reply to a review. */
function ReplyDialog({ review, onClose }: { review: ModeratedReview; onClose: () => void }) {
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
      onClose={() => isBusy || onClose()}
      title={review.reply === null ? "Reply to this review" : "Edit your reply"}
      description="Shoppers read it under the review, with the shop’s name."
      actions={
        <>
          {review.reply !== null && (
            <PanelButton
              variant="danger-quiet"
              disabled={isBusy}
              busy={remove.busy}
              busyText="Removing..."
              onClick={async () => {
                if ((await remove.run({ params, body: { reply: null } })).ok) onClose();
              }}
            >
              Remove reply
            </PanelButton>
          )}
          <PanelButton disabled={isBusy} onClick={onClose}>
            Cancel
          </PanelButton>
          <PanelButton
            variant="primary"
            busy={form.busy}
            busyText="Saving..."
            disabled={isBusy || reply.trim() === "" || reply.trim() === review.reply}
            onClick={async () => {
              if ((await form.run({ params, body: { reply } })).ok) onClose();
            }}
          >
            Save reply
          </PanelButton>
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
