import { useEffect, useRef, useState } from "react";
import * as v from "valibot";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { photoIdSchema } from "../../../../domain/reviews/review-form.ts";
import { hairSchema, skinSchema } from "../../../../domain/reviews/writer-traits.ts";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { readStoredJson, store, storeJson } from "../../browser-storage.ts";
import { useAnswer } from "../../use-answer.ts";
import {
  entriesOf,
  noEntries,
  problemsOf,
  type ReviewEntries,
  type ReviewProblems,
} from "./review-entries.ts";
import { usePhotos } from "./use-photos.ts";

/** What the server knows of the writer: the review that sending would replace, and whether a purchase is proved. */
type Known = { review: PostedReview | null; verified: boolean };

/** A review of one product being written. `token`: of an e-mailed link; `suggestedName`: whose link it is. */
export function useReviewForm(
  productId: number,
  { token: givenToken, suggestedName }: { token: string | null; suggestedName: string },
  onSent: (review: PostedReview) => void,
) {
  const [draft] = useState(() => readDraft(productId));
  const [token] = useState(givenToken ?? draft?.token ?? null);
  const [entries, setEntries] = useState<ReviewEntries>(
    draft ?? { ...noEntries, customerName: suggestedName },
  );
  const photos = usePhotos(draft?.photos ?? [], (ids) => {
    photoIds.current = ids;
    saveDraft(productId, { ...latest.current, token, photos: ids });
  });
  /** Null: nothing was changed about them here. */
  const photoIds = useRef<string[] | null>(draft?.photos ?? null);
  const latest = useRef(entries);
  const [problems, setProblems] = useState<ReviewProblems>({});
  const [failure, setFailure] = useState<string | null>(null);
  /** Counts the tries, so that each is told anew. */
  const [attempt, setAttempt] = useState(0);
  const [isSending, setSending] = useState(false);
  const isUntouched = useRef(draft === null);
  // State comes too late for the second press of a double click.
  const isOnItsWay = useRef(false);

  const { body } = useAnswer({ productId, token }, ({ productId, token }, signal) =>
    callApi("GET /api/reviews/mine", { query: { productId: String(productId), token }, signal }),
  );
  const known: Known | null = body?.data ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the answer arrives
  useEffect(() => {
    const review = known?.review;
    if (!review) return;
    if (photoIds.current === null) photos.show(review.sentPhotos);
    if (isUntouched.current) {
      latest.current = entriesOf(review);
      setEntries(latest.current);
    }
  }, [known]);

  const change = (changed: Partial<ReviewEntries>) => {
    isUntouched.current = false;
    const next = { ...latest.current, ...changed };
    latest.current = next;
    setEntries(next);
    saveDraft(productId, { ...next, token, photos: photoIds.current });
    // Once complaints have been made they follow the writing.
    if (attempt > 0) setProblems(problemsOf(next));
  };

  const send = async (website: string) => {
    if (isOnItsWay.current) return;
    const found = problemsOf(latest.current);
    setProblems(found);
    setFailure(null);
    setAttempt(attempt + 1);
    if (Object.keys(found).length > 0) return;
    isOnItsWay.current = true;
    setSending(true);
    const uploaded = await photos.settled();
    // What the review may have already stays, where nobody could say what that is.
    const sent = known || photoIds.current ? { photos: uploaded } : {};
    const answer = await callApi("POST /api/reviews", {
      body: { ...latest.current, ...sent, rating: latest.current.rating ?? 0, productId, website, token },
    });
    isOnItsWay.current = false;
    setSending(false);
    if (answer.ok) {
      discardDraft(productId);
      toast({ title: "Review submitted", description: "Thank you for your feedback!" });
      return onSent(answer.body.data);
    }
    setProblems(answer.problem.fields);
    setFailure(answer.problem.message);
    setAttempt(attempt + 2);
    toast({ title: "Error submitting review", description: "Please try again later.", tone: "danger" });
  };

  return { entries, photos, known, problems, failure, attempt, isSending, change, send };
}

/** `token`: of the e-mailed link that the writer came with, so that a reload does not cost the badge. */
type ReviewDraft = ReviewEntries & { token: string | null; photos: string[] | null };

const draftSchema = v.object({
  rating: v.nullable(v.picklist([1, 2, 3, 4, 5])),
  comment: v.string(),
  customerName: v.string(),
  hair: v.optional(v.nullable(hairSchema), null),
  skin: v.optional(v.nullable(skinSchema), null),
  token: v.nullable(v.string()),
  photos: v.optional(v.nullable(v.array(photoIdSchema)), null),
});

/** What was written about a product in this tab and not sent; kept when the dialog closes and over reloads. */
function readDraft(productId: number): ReviewDraft | null {
  const draft = v.safeParse(draftSchema, readStoredJson("session", keyOf(productId)));
  return draft.success ? draft.output : null;
}

function saveDraft(productId: number, draft: ReviewDraft): void {
  storeJson("session", keyOf(productId), draft);
}

function discardDraft(productId: number): void {
  store("session", keyOf(productId), null);
}

function keyOf(productId: number): string {
  return `review-draft:${productId}`;
}
