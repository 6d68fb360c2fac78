import Hourglass from "lucide-react/icons/hourglass";
import RotateCw from "lucide-react/icons/rotate-cw";
import SearchX from "lucide-react/icons/search-x";
import WifiOff from "lucide-react/icons/wifi-off";
import type { ReactNode } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";

/**
 * Shown instead of a page that could not be loaded. Pages with their own wording pass `title` and the text.
 * `unavailableTitle` replaces the title while the shop is unavailable (503).
 */
export function PageProblem({
  isMissing = false,
  title,
  unavailableTitle = "We’ll be back in a moment",
  children = "Please check your connection and try again.",
}: {
  isMissing?: boolean;
  title?: string;
  unavailableTitle?: string;
  children?: ReactNode;
}) {
  const error = useRouteError();
  const isUnavailable = isRouteErrorResponse(error) && error.status === 503;
  // A failed request throws a TypeError; the server's own errors reach the browser as other errors.
  const isServerError = isUnavailable || !(title || error instanceof TypeError);
  if (isMissing) {
    return (
      <EmptyState
        glyph={SearchX}
        title="404 Page Not Found"
        action={<ButtonLink to="/">Return to Home</ButtonLink>}
      >
        This page has moved or never existed.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      glyph={isServerError ? Hourglass : WifiOff}
      title={isUnavailable ? unavailableTitle : (title ?? "This page could not be loaded")}
      role="alert"
      action={
        <Button onClick={() => window.location.reload()}>
          <Icon glyph={RotateCw} /> Retry
        </Button>
      }
    >
      {isUnavailable
        ? "The shop cannot show this right now. Your cart is safe, and nothing was charged. Please try again in a minute."
        : isServerError
          ? "Something went wrong on our side. Please try again in a minute."
          : children}
    </EmptyState>
  );
}
