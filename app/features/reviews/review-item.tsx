import BadgeCheck from "lucide-react/icons/badge-check";
import type { Review } from "../../../domain/review.ts";
import { Icon } from "../../ui/icon.tsx";
import { Stars } from "../../ui/stars.tsx";
import { reviewDate, reviewerInitials } from "./reviewer.ts";

/** One review in a list. `nameless` is what a reviewer without a name is called. */
export function ReviewItem({ review, nameless }: { review: Review; nameless: string }) {
  return (
    <li className="border-t border-line py-6">
      <div className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className="grid size-11 shrink-0 place-items-center rounded-full bg-cream text-small font-semibold tracking-[.02em] text-copper-800"
        >
          {reviewerInitials(review.customerName)}
        </span>
        <div>
          <p className="leading-[1.3] font-semibold">{review.customerName ?? nameless}</p>
          <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-caption text-ink-muted">
            {review.verified && (
              <span className="inline-flex items-center gap-1 font-medium text-success">
                <Icon glyph={BadgeCheck} size="small" /> Verified Buyer
              </span>
            )}
            <time dateTime={review.createdAt}>{reviewDate(review.createdAt)}</time>
          </p>
        </div>
      </div>
      <Stars rating={review.rating} className="mt-3" />
      <p className="mt-3 whitespace-pre-line text-pretty">{review.comment}</p>
      {review.reply && (
        <p className="mt-3 border-l-2 border-gold-300 pl-4 text-ink-muted">
          <b className="font-semibold">Palmira:</b> {review.reply}
        </p>
      )}
    </li>
  );
}
