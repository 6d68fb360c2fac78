import { Banner } from "../../../../ui/error-banner.tsx";
import { RetryButton } from "../../kit/retry-button.tsx";

/** In the drawer's place of an order that is not there, or could not be read. */
export function OrderProblem({ isMissing }: { isMissing: boolean }) {
  if (isMissing) {
    return <Banner title="There is no such order.">Check its number, or search for it in the list.</Banner>;
  }
  return (
    <Banner title="The order could not be loaded.">
      Please check your connection and try again.
      <RetryButton />
    </Banner>
  );
}
