import type { ReactNode } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Stars } from "../reviews/stars.tsx";

/** The compare-at price, struck through; renders nothing if there is none. */
export function CompareAt({ cents }: { cents: number | null }) {
  return (
    cents !== null && (
      <span className="text-ink-muted">
        Compare at <s className="tabular-nums">{formatCents(cents)}</s>
      </span>
    )
  );
}

/**
 * An amount in cents. The size `large` is for a product's main price, in the serif font; otherwise its figures are
 * equally wide.
 */
export function Price({ cents, size }: { cents: number; size?: "large" }) {
  return (
    <span
      className={`lining-nums ${size ? "font-display text-[1.625rem] leading-[1.2] tracking-[-.01em]" : "tabular-nums"}`}
    >
      {formatCents(cents)}
    </span>
  );
}

type RatedProduct = Pick<Product, "averageRating" | "reviewCount" | "viewCount">;

/** Home: "4.8/5 (12 reviews)" or "No reviews yet". */
export function HeroRating({ product }: { product: RatedProduct }) {
  return (
    <RatingLine product={product}>
      {product.averageRating === null ? (
        <span className="text-ink-muted">No reviews yet</span>
      ) : (
        <a href="#reviews" className="-my-2.5 inline-flex min-h-11 items-center gap-2 no-underline">
          <Stars rating={product.averageRating} />
          <span>{`${product.averageRating.toFixed(1)}/5 (${reviewCountText(product.reviewCount)})`}</span>
        </a>
      )}
    </RatingLine>
  );
}

/** Product page: stars and a link to the reviews, or "No ratings yet" and a link to write the first. */
export function ProductRating({ product }: { product: RatedProduct }) {
  return (
    <RatingLine product={product}>
      {product.averageRating === null ? (
        <>
          <span className="text-ink-muted">No ratings yet</span>
          <a href="#reviews" className="link -my-2.5 inline-flex min-h-11 items-center text-ink">
            Write the first review
          </a>
        </>
      ) : (
        <a href="#reviews" className="link -my-2.5 inline-flex min-h-11 items-center gap-2 text-ink">
          <Stars rating={product.averageRating} />
          <span>{reviewCountText(product.reviewCount)}</span>
        </a>
      )}
    </RatingLine>
  );
}

function RatingLine({ product: { viewCount }, children }: { product: RatedProduct; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-small">
      {children}
      {viewCount > 0 && (
        <span className="text-ink-muted">
          · {viewCount} {viewCount === 1 ? "view" : "views"}
        </span>
      )}
    </div>
  );
}

function reviewCountText(count: number): string {
  return `${count} ${count === 1 ? "review" : "reviews"}`;
}
