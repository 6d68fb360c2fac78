import { Button } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import type { EmailedCart } from "./use-emailed-cart.ts";

/** What became of the cart behind an e-mailed link. */
export function EmailedCartNotice({ state }: { state: EmailedCart }) {
  switch (state) {
    case "none":
    case "opening":
      return null;
    case "opened":
      return <Banner tone="success" role="status" title="Your cart is back." className="mb-8" />;
    case "gone":
      return (
        <Banner tone="info" role="status" title="This cart is no longer saved." className="mb-8">
          <p>It was ordered, is more than 30 days old, or can’t be bought anymore.</p>
        </Banner>
      );
    case "unreachable":
      return (
        <Banner title="Your cart could not be opened." className="mb-8">
          Please check your connection and try again.
          <div className="mt-3">
            <Button size="small" variant="secondary" onClick={() => window.location.reload()}>
              Try Again
            </Button>
          </div>
        </Banner>
      );
  }
}
