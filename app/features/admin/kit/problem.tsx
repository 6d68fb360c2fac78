import RotateCw from "lucide-react/icons/rotate-cw";
import { useEffect } from "react";
import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { giveFocusBack } from "../../../ui/focus.ts";
import { Icon } from "../../../ui/icon.tsx";
import { AdminPage } from "./admin-page.tsx";

/**
 * What a tab's `ErrorBoundary` shows: the tab's h1, `title` as the bold cause ("Failed to load Stripe orders"), what the
 * shop said of it, and Retry, which asks again for the data alone.
 */
export function AdminProblem({ page, title }: { page: string; title: string }) {
  const error = useRouteError();
  const { revalidate, state } = useRevalidator();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  // Retry goes with the problem: whoever pressed it goes on at the page's heading.
  useEffect(() => () => void setTimeout(() => giveFocusBack(null)), []);
  return (
    <AdminPage title={page}>
      <Banner title={isMissing ? "There is nothing at this address" : title}>
        <span className="block">{messageOf(error)}</span>
        {!isMissing && (
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
        )}
      </Banner>
    </AdminPage>
  );
}

function messageOf(error: unknown): string | null {
  if (!isRouteErrorResponse(error)) return "Please check your connection and try again.";
  const data: unknown = error.data;
  return typeof data === "object" && data !== null && "message" in data && typeof data.message === "string"
    ? data.message
    : null;
}
