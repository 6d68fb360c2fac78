import RotateCw from "lucide-react/icons/rotate-cw";
import { useRevalidator } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** In the drawer's place of an order that is not there, or could not be read. */
export function OrderProblem({ isMissing }: { isMissing: boolean }) {
  const { revalidate, state } = useRevalidator();
  if (isMissing) {
    return <Banner title="There is no such order.">Check its number, or search for it in the list.</Banner>;
  }
  return (
    <Banner title="The order could not be loaded.">
      Please check your connection and try again.
      <div className="mt-2.5">
        <Button
          variant="secondary"
          size="small"
          busy={state === "loading"}
          busyText="Retrying..."
          onClick={() => void revalidate()}
        >
          <Icon glyph={RotateCw} size="small" /> Retry
        </Button>
      </div>
    </Banner>
  );
}
