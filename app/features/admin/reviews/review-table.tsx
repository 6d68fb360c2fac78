import BadgeCheck from "lucide-react/icons/badge-check";
import Star from "lucide-react/icons/star";
import { Link } from "react-router";
import type { ModeratedReview, SentPhoto } from "../../../../domain/reviews/review.ts";
import { Badge } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Stars } from "../../reviews/stars.tsx";
import { ActionButton } from "../kit/action-button.tsx";
import { actionsColumn, type Column, DataTable } from "../kit/list/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useMayOpen } from "../rights.ts";
import { ReviewActions } from "./review-actions.tsx";

const statusBadges = {
  published: { tone: "green", label: "Published" },
  hidden: { tone: "red", label: "Hidden" },
  pending: { tone: "yellow", label: "Held" },
} as const;

/** Reviews of every status, with the actions on each. */
export function ReviewTable({ reviews, status }: { reviews: ModeratedReview[]; status: string | null }) {
  return (
    <DataTable caption="Reviews" columns={columns} rows={reviews} empty={<NoReviews status={status} />} />
  );
}

const columns: Column<ModeratedReview>[] = [
  {
    header: "Customer",
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: (review) => <Writer review={review} />,
  },
  {
    header: "Rating",
    nowrap: true,
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:pt-0.5",
    cell: ({ rating }) => <Stars rating={rating} className="text-small" />,
  },
  {
    header: "Comment",
    grows: true,
    phone: "max-md:col-span-2 max-md:row-start-2 max-md:py-1",
    cell: (review) => <ReviewText review={review} />,
  },
  {
    header: "Date",
    nowrap: true,
    phone: "max-md:col-span-2 max-md:row-start-3 max-md:text-ink-muted",
    cell: ({ createdAt }) => (
      <span className="text-small">
        <span className="md:hidden">Written </span>
        <ShortDay iso={createdAt} />
      </span>
    ),
  },
  {
    ...actionsColumn,
    phone: "max-md:col-span-2 max-md:row-start-4 max-md:pt-2",
    cell: (review) => <ReviewActions review={review} />,
  },
];

function Writer({ review }: { review: ModeratedReview }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 md:grid md:justify-items-start">
      <span className="font-medium wrap-anywhere md:min-w-24 md:max-w-40">
        {review.customerName?.trim() || "Anonymous"}
      </span>
      {review.verified && (
        <span className="inline-flex items-center gap-1 text-small whitespace-nowrap text-success">
          <Icon glyph={BadgeCheck} size="small" /> Verified Buyer
        </span>
      )}
      {review.orderId && (
        <Link
          to={`/admin/orders/${review.orderId}`}
          className="link inline-flex min-h-11 items-center text-small md:min-h-6"
        >
          Order #{review.orderNumber}
        </Link>
      )}
    </span>
  );
}

function ReviewText({ review }: { review: ModeratedReview }) {
  const { tone, label } = statusBadges[review.status];
  return (
    <div className="grid max-w-text justify-items-start gap-2 text-left xl:min-w-72">
      <p className="whitespace-pre-line wrap-anywhere">{review.comment}</p>
      <SentPhotos review={review} />
      {review.reply !== null && (
        <p className="border-l-2 border-gold-300 pl-3 text-small whitespace-pre-line text-ink-muted wrap-anywhere">
          <b className="font-semibold">Your reply:</b> {review.reply}
        </p>
      )}
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-muted">
        <Badge tone={tone}>{label}</Badge>
        {review.hiddenReason !== null && (
          <span className="wrap-anywhere">Hidden because: {review.hiddenReason}</span>
        )}
        {review.editedAt !== null && (
          <span>
            Edited by the author, <ShortDay iso={review.editedAt} />
          </span>
        )}
        <span>{review.productName}</span>
      </span>
    </div>
  );
}

/** Why the list is empty, and how to get reviews. */
function NoReviews({ status }: { status: string | null }) {
  const mayOpen = useMayOpen();
  if (status === "pending") {
    return (
      <EmptyState glyph={Star} boxed title="No review is held">
        New reviews wait here if you hold them for approval in Settings, or if one seems to be from a bot.
        {mayOpen("/admin/settings/:page") && (
          <>
            {" "}
            <Link className="link" to="/admin/settings/marketing">
              Open Settings
            </Link>
          </>
        )}
      </EmptyState>
    );
  }
  if (status === "photos") {
    return (
      <EmptyState glyph={Star} boxed title="No photo to approve">
        Photos that shoppers send with a review wait here until you approve them.
      </EmptyState>
    );
  }
  if (status === "hidden") {
    return (
      <EmptyState glyph={Star} boxed title="No review is hidden">
        Hidden reviews stay here with the reason, and can be published again.
      </EmptyState>
    );
  }
  return (
    <EmptyState glyph={Star} boxed title="No reviews yet">
      Buyers are asked for a review by email some days after their order arrived.
    </EmptyState>
  );
}

/** The photos sent with a review, each with its moderation; they are public only after approval. */
function SentPhotos({ review }: { review: ModeratedReview }) {
  if (review.sentPhotos.length === 0) return null;
  const customer = review.customerName?.trim() || "Anonymous";
  return (
    <ul className="flex flex-wrap gap-3">
      {review.sentPhotos.map((photo, index) => (
        <Photo key={photo.id} photo={photo} name={`photo ${index + 1} of the review by ${customer}`} />
      ))}
    </ul>
  );
}

function Photo({ photo: { id, url, width, height, status }, name }: { photo: SentPhoto; name: string }) {
  const isHeld = status === "held";
  return (
    <li className="grid w-32 content-start justify-items-start gap-2">
      <a href={url} target="_blank" rel="noreferrer" aria-label={`Open ${name}`}>
        <img
          src={url}
          alt=""
          width={width}
          height={height}
          loading="lazy"
          className="size-32 rounded-sm bg-cream object-cover"
        />
      </a>
      <Badge tone={isHeld ? "yellow" : "green"}>{isHeld ? "Held" : "Shown"}</Badge>
      {isHeld && (
        <ActionButton
          call="PATCH /api/admin/reviews/photos/:id"
          success={{ title: "Photo approved" }}
          variant="primary"
          block
          aria-label={`Approve ${name}`}
          busyText="Approving..."
          send={(run) => run({ params: { id }, body: { status: "shown" } })}
        >
          Approve
        </ActionButton>
      )}
      <ActionButton
        call="DELETE /api/admin/reviews/photos/:id"
        success={{ title: "Photo deleted" }}
        block
        variant="danger-quiet"
        aria-label={`Delete ${name}`}
        busyText="Deleting..."
        send={(run) => run({ params: { id } })}
      >
        Delete
      </ActionButton>
    </li>
  );
}
