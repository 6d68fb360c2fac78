import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { Button } from "../../../ui/button.tsx";

export type ReviewedProduct = { id: number; name: string; slug: string };

/** An e-mailed review link that was followed; `suggestedName` is empty where it proves nothing any more. */
export type Invitation = { token: string; suggestedName: string };

// No first view needs the dialog: it is loaded when somebody is about to open it.
const loadDialog = () => import("./review-dialog.tsx");
/** The first review of a product makes its section, and this with it, anew: the dialog shall not open again then. */
const followed = new WeakSet<Invitation>();
const ReviewDialog = lazy(() => loadDialog().then((module) => ({ default: module.ReviewDialog })));

/**
 * Opens the dialog; of several products the writer chooses one. Without JavaScript, or where the dialog cannot be
 * loaded, the button leads to a page with the same form.
 */
export function WriteReview({
  products,
  invitation = null,
  variant = "secondary",
  onSent,
}: {
  products: readonly ReviewedProduct[];
  /** Opens the dialog at once. */
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
    if (!invitation || followed.has(invitation)) return;
    followed.add(invitation);
    loadDialog().then(
      () => {
        // It has the focus when the dialog is closed.
        form.current?.querySelector("button")?.focus({ preventScroll: true });
        setOpen(true);
      },
      () => form.current?.submit(),
    );
  }, [invitation]);

  const prepare = () => void loadDialog().catch(() => null);
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
        <Button type="submit" variant={variant} onPointerEnter={prepare} onFocus={prepare}>
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
