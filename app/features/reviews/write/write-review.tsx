import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { Button } from "../../../ui/button.tsx";

export type ReviewedProduct = { id: number; name: string; slug: string };

/** An opened review link from an e-mail; `suggestedName` is empty if the link has expired. */
export type Invitation = { token: string; suggestedName: string };

// Loaded when the shopper is about to open the dialog.
const loadDialog = () => import("./review-dialog.tsx");
/** A product's first review remounts the section; an invitation in this set does not open the dialog again. */
const openedInvitations = new WeakSet<Invitation>();
const ReviewDialog = lazy(() => loadDialog().then((module) => ({ default: module.ReviewDialog })));

/**
 * Opens the dialog; with several products the writer chooses one. Without JavaScript, or if the dialog cannot be loaded,
 * the button opens a page with the same form.
 */
export function WriteReview({
  products,
  invitation = null,
  variant = "secondary",
  onSent,
}: {
  products: readonly ReviewedProduct[];
  /** Opens the dialog immediately. */
  invitation?: Invitation | null;
  variant?: "primary" | "secondary";
  onSent: (review: PostedReview) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [isOpen, setOpen] = useState(false);

  const open = async () => {
    try {
      await loadDialog();
      setOpen(true);
    } catch {
      form.current?.submit();
    }
  };
  useEffect(() => {
    if (!invitation || openedInvitations.has(invitation)) return;
    openedInvitations.add(invitation);
    loadDialog().then(
      () => {
        // Closing the dialog gives the focus back to the button.
        form.current?.querySelector("button")?.focus({ preventScroll: true });
        setOpen(true);
      },
      () => form.current?.submit(),
    );
  }, [invitation]);

  const preload = () => void loadDialog().catch(() => null);
  return (
    <>
      <form
        ref={form}
        action="/reviews/new"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void open();
        }}
      >
        {products.length === 1 && <input type="hidden" name="product" value={products[0]?.slug} />}
        {invitation && <input type="hidden" name="review" value={invitation.token} />}
        <Button type="submit" variant={variant} onPointerEnter={preload} onFocus={preload}>
          Write a Review
        </Button>
      </form>
      {isOpen && (
        <Suspense>
          <ReviewDialog
            products={products}
            invitation={invitation}
            onClose={() => setOpen(false)}
            onSent={onSent}
          />
        </Suspense>
      )}
    </>
  );
}
