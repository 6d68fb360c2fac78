import BadgeCheck from "lucide-react/icons/badge-check";
import type { MouseEvent, ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { ProductImage } from "../../../../domain/catalog/product.ts";
import type { Review } from "../../../../domain/reviews/review.ts";
import type { loader as rootLoader } from "../../../root.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Stars } from "../stars.tsx";

/** Name, date, stars and text of a review. `control` is shown beside the name. */
export function ReviewBody({
  review,
  anonymousName,
  control,
  isOwn = false,
  children,
}: {
  review: Review;
  anonymousName: string;
  control?: ReactNode;
  isOwn?: boolean;
  children?: ReactNode;
}) {
  const { hair, skin } = review;
  return (
    <>
      <div className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className="grid size-11 shrink-0 place-items-center rounded-full bg-cream text-small font-semibold tracking-[.02em] text-copper-800"
        >
          {reviewerInitials(review.customerName)}
        </span>
        <div className="min-w-0 flex-1">
          <div className="leading-[1.3] font-semibold wrap-anywhere">
            {reviewerName(review, anonymousName)}
            {isOwn && <span className="font-normal text-ink-muted"> · Your review</span>}
          </div>
          <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-caption text-ink-muted *:whitespace-normal">
            {review.verified && (
              <span className="inline-flex items-center gap-1 font-medium text-success">
                <Icon glyph={BadgeCheck} size="small" /> Verified Buyer
              </span>
            )}
            <time dateTime={review.createdAt}>{reviewDate(review.createdAt)}</time>
            {hair && <span className="inline-block first-letter:uppercase">{hair} hair</span>}
            {skin && <span className="inline-block first-letter:uppercase">{skin} skin</span>}
          </p>
        </div>
        {control}
      </div>
      <div className="mt-3">
        <Stars rating={review.rating} />
      </div>
      <p className="mt-3 whitespace-pre-line wrap-anywhere">{review.comment}</p>
      <PhotoLinks
        photos={captionedPhotos(review, anonymousName)}
        label="Photos of this review"
        className="mt-3"
      />
      {children}
      {review.reply && <OwnersReply text={review.reply} />}
    </>
  );
}

function OwnersReply({ text }: { text: string }) {
  const shop = useRouteLoaderData<typeof rootLoader>("root");
  return (
    <p className="mt-3 border-l-2 border-gold-300 pl-4 whitespace-pre-line text-ink-muted wrap-anywhere">
      <b className="font-semibold">{shop?.brandName}:</b> {text}
    </p>
  );
}

export function reviewerName({ customerName }: Review, anonymousName: string): string {
  return customerName?.trim() || anonymousName;
}

/** A reviewer's photo with its caption in the full-screen view. */
export type CaptionedPhoto = { photo: ProductImage; author: string; text: string };

function captionedPhotos(review: Review, anonymousName: string): CaptionedPhoto[] {
  return review.photos.map((photo) => ({
    photo,
    author: reviewerName(review, anonymousName),
    text: review.comment,
  }));
}

/** The photos of all these reviews in a row, if there are at least three. */
export function PhotoStrip({
  reviews,
  anonymousName,
}: {
  reviews: readonly Review[];
  anonymousName: string;
}) {
  const photos = reviews.flatMap((review) => captionedPhotos(review, anonymousName));
  return (
    photos.length >= 3 && (
      <PhotoLinks photos={photos} label="Photos from customers" className="mb-5" size="size-24 md:size-28" />
    )
  );
}

/** Photos that open full-screen when pressed; without JavaScript, the link opens the file. */
function PhotoLinks({
  photos,
  label,
  className,
  size = "size-20",
}: {
  photos: readonly CaptionedPhoto[];
  label: string;
  className: string;
  size?: string;
}) {
  if (photos.length === 0) return null;
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const link = event.currentTarget;
    import("./on-press.ts")
      .then(({ openPhotos }) => openPhotos(photos, link, label))
      .catch(() => window.location.assign(link.href));
  };
  return (
    <ul
      aria-label={label}
      className={`-m-1 flex gap-2 overflow-x-auto p-1 [scrollbar-width:thin] ${className}`}
    >
      {photos.map(({ photo }) => (
        <li key={photo.url} className="shrink-0">
          <a href={photo.url} onClick={open} className="block">
            {/* `srcset` starts with the smallest size. */}
            <img
              src={photo.srcset.webp.split(" ")[0]}
              alt={photo.alt}
              width={photo.width}
              height={photo.height}
              loading="lazy"
              className={`rounded-sm bg-cream object-cover ${size}`}
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Initials of the first and last word: "Mary Ann Smith" -> "MS"; "A" for an anonymous reviewer. */
export function reviewerInitials(name: string | null): string {
  const words = (name ?? "").trim().split(/\s+/).filter(Boolean);
  const outerWords = words.length > 1 ? [words[0], words.at(-1)] : words;
  return outerWords.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("") || "A";
}

// In UTC, so that server and browser render the same day.
const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** "2026-11-12T09:30:00Z" -> "November 12, 2026"; "Unknown date" for anything else. */
export function reviewDate(createdAt: string): string {
  const date = new Date(createdAt);
  return Number.isNaN(date.getTime()) ? "Unknown date" : longDate.format(date);
}
