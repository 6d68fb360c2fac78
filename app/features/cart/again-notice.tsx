import { useLocation } from "react-router";
import { Banner } from "../../ui/error-banner.tsx";
import type { BoughtAgain } from "../orders/use-buy-again.ts";

/** That an order was put into the cart again, and what of it could not. */
export function AgainNotice() {
  const again: BoughtAgain | undefined = useLocation().state?.again;
  if (!again) return null;
  const { number, problems } = again;
  return (
    <Banner
      tone={problems.length > 0 ? "warning" : "success"}
      role="status"
      title={`${problems.length > 0 ? "What’s still available from order" : "Order"} #${number} is in your cart, at today’s prices.`}
      className="mb-8"
    >
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Banner>
  );
}
