import BadgeCheck from "lucide-react/icons/badge-check";
import { useEffect, useRef, useState } from "react";
import * as v from "valibot";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { photoIdSchema } from "../../../../domain/reviews/review-form.ts";
import { hairSchema, skinSchema } from "../../../../domain/reviews/writer-traits.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Options, Select } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { readStoredJson, store, storeJson } from "../../browser-storage.ts";
import { useApiResult } from "../../use-api-result.ts";
import { PhotoField, usePhotos } from "./photo-field.tsx";
import {
  noEntries,
  type ReviewEntries,
  type ReviewProblems,
  reviewEntries,
  reviewProblems,
} from "./review-entries.ts";
import { ReviewFields, ReviewNotice } from "./review-fields.tsx";
import type { Invitation, ReviewedProduct } from "./write-review.tsx";

const formId = "review-form";

type ReviewDialogProps = {
  products: readonly ReviewedProduct[];
  invitation: Invitation | null;
  onClose: () => void;
  onSent: (review: PostedReview) => void;
};

/** Writes a review, or edits an existing review. */
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
      onClose={onClose}
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
        {/* Disabled, because entries typed while the review is being sent would be lost with the dialog. */}
        <fieldset disabled={form.isSending} className="grid min-w-0 gap-4.5">
          <legend className="sr-only">Your rating and words</legend>
          {products.length > 1 && (
            <Select
              name="productId"
              id="review-product"
              label="Product"
              value={product.id}
              onChange={(event) => onChoose(Number(event.target.value))}
            >
              <Options of={products.map(({ id, name }) => [id, name])} />
            </Select>
          )}
          <ReviewFields entries={form.entries} problems={form.problems} onChange={form.change}>
            <PhotoField form={form.photos} />
          </ReviewFields>
        </fieldset>
      </form>
    </Dialog>
  );
}

/** Shows whether the writer has bought or already reviewed the product. */
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
          <p>Your review gets this badge because you bought the product.</p>
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

/** The writer's existing review, which sending replaces, and whether they bought the product. */
type Writer = { review: PostedReview | null; verified: boolean };

/** The form of a product's review. `token` and `suggestedName` come from an e-mailed link. */
function useReviewForm(
  productId: number,
  { token: linkToken, suggestedName }: { token: string | null; suggestedName: string },
  onSent: (review: PostedReview) => void,
) {
  const [storedForm] = useState(() => readStoredForm(productId));
  const [token] = useState(linkToken ?? storedForm?.token ?? null);
  const [entries, setEntries] = useState<ReviewEntries>(
    storedForm ?? { ...noEntries, customerName: suggestedName },
  );
  const photos = usePhotos(storedForm?.photos ?? [], (ids) => {
    photoIds.current = ids;
    storeForm(productId, { ...latestEntries.current, token, photos: ids });
  });
  /** Ids of the uploaded photos; null if the photos have not been changed in this form. */
  const photoIds = useRef<string[] | null>(storedForm?.photos ?? null);
  const latestEntries = useRef(entries);
  const [problems, setProblems] = useState<ReviewProblems>({});
  const [failure, setFailure] = useState<string | null>(null);
  /** Counts failures, so that each is announced, even with the same text. */
  const [attempt, setAttempt] = useState(0);
  const [isSending, setSending] = useState(false);
  const isUntouched = useRef(storedForm === null);
  // A ref, because state would be set too late for the second press of a double click.
  const isInFlight = useRef(false);

  const { body } = useApiResult({ productId, token }, ({ productId, token }, signal) =>
    callApi("GET /api/reviews/mine", { query: { productId: String(productId), token }, signal }),
  );
  const writer: Writer | null = body?.data ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the response arrives
  useEffect(() => {
    const review = writer?.review;
    if (!review) return;
    if (isUntouched.current) {
      latestEntries.current = reviewEntries(review);
      setEntries(latestEntries.current);
    }
    // Must come last, because it may store the entries too.
    if (!storedForm?.photos) photos.show(review.sentPhotos);
  }, [writer]);

  const change = (newEntries: Partial<ReviewEntries>) => {
    isUntouched.current = false;
    const next = { ...latestEntries.current, ...newEntries };
    latestEntries.current = next;
    setEntries(next);
    storeForm(productId, { ...next, token, photos: photoIds.current });
    // After the first attempt, problems are updated while typing.
    if (attempt > 0) setProblems(reviewProblems(next));
  };

  const send = async (website: string) => {
    if (isInFlight.current) return;
    const formProblems = reviewProblems(latestEntries.current);
    setProblems(formProblems);
    setFailure(null);
    setAttempt((count) => count + 1);
    if (Object.keys(formProblems).length > 0) return;
    isInFlight.current = true;
    setSending(true);
    const uploadedIds = await photos.waitForUploads();
    // The review's current photos are not replaced if they are unknown.
    const photoEntries = writer || photoIds.current ? { photos: uploadedIds } : {};
    const response = await callApi("POST /api/reviews", {
      body: {
        ...latestEntries.current,
        ...photoEntries,
        rating: latestEntries.current.rating ?? 0,
        customerName: latestEntries.current.customerName.trim() || null,
        productId,
        website,
        token,
      },
    });
    isInFlight.current = false;
    setSending(false);
    if (response.ok) {
      discardStoredForm(productId);
      toast({ title: "Review submitted", description: "Thank you for your feedback!" });
      return onSent(response.body.data);
    }
    setProblems(response.problem.fields);
    setFailure(response.problem.message);
    setAttempt((count) => count + 1);
    toast({ title: "Error submitting review", description: "Please try again later.", tone: "danger" });
  };

  return { entries, photos, writer, problems, failure, attempt, isSending, change, send };
}

/** `token` comes from the e-mailed link; it is stored so that a reload does not lose the badge of a verified buyer. */
type StoredForm = ReviewEntries & { token: string | null; photos: string[] | null };

const storedFormSchema = v.object({
  rating: v.nullable(v.picklist([1, 2, 3, 4, 5])),
  comment: v.string(),
  customerName: v.string(),
  hair: v.optional(v.nullable(hairSchema), null),
  skin: v.optional(v.nullable(skinSchema), null),
  token: v.nullable(v.string()),
  photos: v.optional(v.nullable(v.array(photoIdSchema)), null),
});

/** The unsent review of a product in this tab, which survives closing the dialog and reloads. */
function readStoredForm(productId: number): StoredForm | null {
  const result = v.safeParse(storedFormSchema, readStoredJson("session", storageKey(productId)));
  return result.success ? result.output : null;
}

function storeForm(productId: number, form: StoredForm): void {
  storeJson("session", storageKey(productId), form);
}

function discardStoredForm(productId: number): void {
  store("session", storageKey(productId), null);
}

function storageKey(productId: number): string {
  return `review-draft:${productId}`;
}
