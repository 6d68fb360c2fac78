import RotateCw from "lucide-react/icons/rotate-cw";
import SearchX from "lucide-react/icons/search-x";
import WifiOff from "lucide-react/icons/wifi-off";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";

/** A page that could not be made. `title` and `text` say what a page's specification words in its own way. */
export function PageProblem({
  isMissing = false,
  title = "This page could not be loaded",
  text = "Please check your connection and try again.",
}: {
  isMissing?: boolean;
  title?: string;
  text?: string;
}) {
  if (isMissing) {
    return (
      <EmptyState
        glyph={SearchX}
        heading="h1"
        title="404 Page Not Found"
        action={<ButtonLink to="/">Return to Home</ButtonLink>}
      >
        This page has moved or never existed.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      glyph={WifiOff}
      heading="h1"
      title={title}
      role="alert"
      action={
        <Button onClick={() => window.location.reload()}>
          <Icon glyph={RotateCw} /> Retry
        </Button>
      }
    >
      {text}
    </EmptyState>
  );
}
