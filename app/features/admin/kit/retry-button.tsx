import RotateCw from "lucide-react/icons/rotate-cw";
import { useRevalidator } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** Asks for the page's data again, and for nothing else; stands below a problem's words. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  return (
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
  );
}
