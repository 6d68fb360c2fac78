import type { ModeratedReview, SentPhoto } from "../../../../domain/reviews/review.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** The photos sent with a review, each with its moderation; they are public only after approval. */
export function SentPhotos({ review }: { review: ModeratedReview }) {
  if (review.sentPhotos.length === 0) return null;
  const by = review.customerName?.trim() || "Anonymous";
  return (
    <ul className="flex flex-wrap gap-3">
      {review.sentPhotos.map((photo, index) => (
        <Photo key={photo.id} photo={photo} name={`photo ${index + 1} of the review by ${by}`} />
      ))}
    </ul>
  );
}

function Photo({ photo: { id, url, width, height, status }, name }: { photo: SentPhoto; name: string }) {
  const approve = useAdminAction("PATCH /api/admin/reviews/photos/:id", {
    success: { title: "Photo approved" },
  });
  const remove = useAdminAction("DELETE /api/admin/reviews/photos/:id", {
    success: { title: "Photo deleted" },
  });
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
        <Button
          size="small"
          block
          aria-label={`Approve ${name}`}
          busy={approve.busy}
          busyText="Approving..."
          onClick={() => approve.run({ params: { id }, body: { status: "shown" } })}
        >
          Approve
        </Button>
      )}
      <Button
        size="small"
        block
        variant="danger-quiet"
        aria-label={`Delete ${name}`}
        busy={remove.busy}
        busyText="Deleting..."
        onClick={() => remove.run({ params: { id } })}
      >
        Delete
      </Button>
    </li>
  );
}
