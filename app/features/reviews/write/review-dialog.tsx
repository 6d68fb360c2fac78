import BadgeCheck from "lucide-react/icons/badge-check";
import { useEffect, useRef, useState } from "react";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Select } from "../../../ui/field.tsx";
import { PhotoField } from "./photo-field.tsx";
import { ReviewFields, ReviewNotice } from "./review-fields.tsx";
import { useReviewForm } from "./use-review-form.ts";
import type { Invitation, ReviewedProduct } from "./write-review.tsx";

const formId = "review-form";

type ReviewDialogProps = {
  products: readonly ReviewedProduct[];
  invitation: Invitation | null;
  onClose: () => void;
  onSent: (review: PostedReview) => void;
};

/** Writes a review, or edits an earlier one. */
export function ReviewDialog(props: ReviewDialogProps) {
  const [productId, setProductId] = useState(props.products[0]?.id);
  const product = props.products.find(({ id }) => id === productId);
  return (
    product && <ProductReviewDialog key={product.id} {...props} product={product} onChoose={setProductId} />
  );
}

function ProductReviewDialog({
  product,
  products,
  invitation,
  onChoose,
  onClose,
  onSent,
}: ReviewDialogProps & { product: ReviewedProduct; onChoose: (productId: number) => void }) {
  const form = useReviewForm(
    product.id,
    { token: invitation?.token ?? null, suggestedName: invitation?.suggestedName ?? "" },
    (review) => {
      onClose();
      onSent(review);
    },
  );
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is announced, even with the same text
  useEffect(() => notice.current?.focus(), [form.attempt]);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Write a Review"
      // With several products, the form has a field to choose one.
      description={products.length === 1 && <span className="text-small">{product.name}</span>}
      actions={
        <>
          <Button variant="secondary" size="small" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} size="small" busy={form.isSending} busyText="Submitting...">
            Submit Review
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="mt-5 grid gap-4.5"
        onSubmit={(event) => {
          event.preventDefault();
          void form.send(String(new FormData(event.currentTarget).get("website") ?? ""));
        }}
      >
        <ReviewNotice ref={notice} problems={form.problems} failure={form.failure} />
        <WriterNote form={form} isInvited={invitation !== null} />
        {products.length > 1 && (
          <Select
            name="productId"
            id="review-product"
            label="Product"
            value={product.id}
            onChange={(event) => onChoose(Number(event.target.value))}
          >
            {products.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <ReviewFields entries={form.entries} problems={form.problems} onChange={form.change}>
          <PhotoField form={form.photos} />
        </ReviewFields>
      </form>
    </Dialog>
  );
}

/** Says whether the writer has bought or already reviewed the product. */
function WriterNote({
  form: { writer },
  isInvited,
}: {
  form: ReturnType<typeof useReviewForm>;
  isInvited: boolean;
}) {
  if (!writer || (!writer.verified && !writer.review && !isInvited)) return null;
  return (
    <div role="status" className="grid gap-3">
      {writer.verified && (
        <Banner tone="success" glyph={BadgeCheck} title="Verified Buyer">
          Your review gets this badge because you bought the product.
        </Banner>
      )}
      {!writer.verified && isInvited && (
        <Banner tone="info">
          This link no longer shows that you bought the product. You can still write a review.
        </Banner>
      )}
      {writer.review && (
        <p className="text-small text-ink-muted">
          {writer.review.status === "pending"
            ? "Your review is waiting for approval. Sending this replaces it."
            : "You have reviewed this product before. Sending this replaces your review."}
        </p>
      )}
    </div>
  );
}
