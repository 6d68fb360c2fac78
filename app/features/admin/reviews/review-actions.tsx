import Trash2 from "lucide-react/icons/trash-2";
import type { ModeratedReview } from "../../../../domain/reviews/review.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

export type Asked = { what: "hide" | "reply" | "delete"; review: ModeratedReview };

/** Actions on one review; `ask` opens the dialog for those that need more than a click. */
export function ReviewActions({ review, ask }: { review: ModeratedReview; ask: (asked: Asked) => void }) {
  const publish = useAdminAction("PATCH /api/admin/reviews/:id", { success: { title: "Review published" } });
  const of = `review by ${review.customerName?.trim() || "Anonymous"}`;
  return (
    <div className="flex flex-wrap gap-2 max-md:mt-2 max-md:w-full max-md:*:grow md:w-56 md:justify-end">
      {review.status !== "published" && (
        <Button
          size="small"
          aria-label={`Publish ${of}`}
          busy={publish.busy}
          busyText="Publishing..."
          onClick={() => publish.run({ params: { id: review.id }, body: { status: "published" } })}
        >
          Publish
        </Button>
      )}
      {review.status !== "hidden" && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Hide ${of}`}
          onClick={() => ask({ what: "hide", review })}
        >
          Hide
        </Button>
      )}
      <Button
        variant="secondary"
        size="small"
        aria-label={`${review.reply === null ? "Reply to" : "Edit reply to"} ${of}`}
        onClick={() => ask({ what: "reply", review })}
      >
        {review.reply === null ? "Reply" : "Edit reply"}
      </Button>
      <Button
        variant="danger-quiet"
        size="small"
        aria-label={`Delete ${of}`}
        onClick={() => ask({ what: "delete", review })}
      >
        <Icon glyph={Trash2} size="small" /> Delete
      </Button>
    </div>
  );
}
