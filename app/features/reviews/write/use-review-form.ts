import { useEffect, useRef, useState } from "react";
import * as v from "valibot";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { photoIdSchema } from "../../../../domain/reviews/review-form.ts";
import { hairSchema, skinSchema } from "../../../../domain/reviews/writer-traits.ts";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { readStoredJson, store, storeJson } from "../../browser-storage.ts";
import { useAnswer } from "../../use-answer.ts";
import { usePhotos } from "./photo-field.tsx";
import {
  entriesOf,
  noEntries,
  problemsOf,
  type ReviewEntries,
  type ReviewProblems,
} from "./review-entries.ts";

/** The writer's existing review, which sending replaces, and whether they bought the product. */
type Writer = { review: PostedReview | null; verified: boolean };

/** The form of a product's review. `token` and `suggestedName` come from an e-mailed link. */
export function useReviewForm(
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
    storeForm(productId, { ...latest.current, token, photos: ids });
  });
  /** Null: the photos were not changed here. */
  const photoIds = useRef<string[] | null>(storedForm?.photos ?? null);
  const latest = useRef(entries);
  const [problems, setProblems] = useState<ReviewProblems>({});
  const [failure, setFailure] = useState<string | null>(null);
  /** Counts attempts, so that each is announced. */
  const [attempt, setAttempt] = useState(0);
  const [isSending, setSending] = useState(false);
  const isUntouched = useRef(storedForm === null);
  // A ref, because state would be set too late for the second press of a double click.
  const isInFlight = useRef(false);

  const { body } = useAnswer({ productId, token }, ({ productId, token }, signal) =>
    callApi("GET /api/reviews/mine", { query: { productId: String(productId), token }, signal }),
  );
  const writer: Writer | null = body?.data ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the answer arrives
  useEffect(() => {
    const review = writer?.review;
    if (!review) return;
    if (photoIds.current === null) photos.show(review.sentPhotos);
    if (isUntouched.current) {
      latest.current = entriesOf(review);
      setEntries(latest.current);
    }
  }, [writer]);

  const change = (newEntries: Partial<ReviewEntries>) => {
    isUntouched.current = false;
    const next = { ...latest.current, ...newEntries };
    latest.current = next;
    setEntries(next);
    storeForm(productId, { ...next, token, photos: photoIds.current });
    // After the first attempt, problems are updated while typing.
    if (attempt > 0) setProblems(problemsOf(next));
  };

  const send = async (website: string) => {
    if (isInFlight.current) return;
    const formProblems = problemsOf(latest.current);
    setProblems(formProblems);
    setFailure(null);
    setAttempt(attempt + 1);
    if (Object.keys(formProblems).length > 0) return;
    isInFlight.current = true;
    setSending(true);
    const uploadedIds = await photos.waitForUploads();
    // If the review's current photos are unknown, they are not replaced.
    const photoEntries = writer || photoIds.current ? { photos: uploadedIds } : {};
    const answer = await callApi("POST /api/reviews", {
      body: {
        ...latest.current,
        ...photoEntries,
        rating: latest.current.rating ?? 0,
        productId,
        website,
        token,
      },
    });
    isInFlight.current = false;
    setSending(false);
    if (answer.ok) {
      discardStoredForm(productId);
      toast({ title: "Review submitted", description: "Thank you for your feedback!" });
      return onSent(answer.body.data);
    }
    setProblems(answer.problem.fields);
    setFailure(answer.problem.message);
    setAttempt(attempt + 2);
    toast({ title: "Error submitting review", description: "Please try again later.", tone: "danger" });
  };

  return { entries, photos, writer, problems, failure, attempt, isSending, change, send };
}

/** `token`: of the e-mailed link, stored so that a reload does not lose the badge. */
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
  const result = v.safeParse(storedFormSchema, readStoredJson("session", keyOf(productId)));
  return result.success ? result.output : null;
}

function storeForm(productId: number, form: StoredForm): void {
  storeJson("session", keyOf(productId), form);
}

function discardStoredForm(productId: number): void {
  store("session", keyOf(productId), null);
}

function keyOf(productId: number): string {
  return `review-draft:${productId}`;
}
