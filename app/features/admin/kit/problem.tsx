import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { Banner } from "../../../ui/error-banner.tsx";
import { giveFocusBack } from "../../../ui/focus.ts";
import { AdminPage } from "./admin-page.tsx";
import { RetryButton } from "./retry-button.tsx";

/**
 * What a tab's `ErrorBoundary` shows: the tab's h1, `title` as the bold cause ("Failed to load Stripe orders"), what the
 * shop said of it, and Retry, which asks again for the data alone.
 */
export function AdminProblem({ page, title }: { page: string; title: string }) {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  // Retry goes with the problem: whoever pressed it goes on at the page's heading.
  useEffect(() => () => void setTimeout(() => giveFocusBack(null)), []);
  return (
    <AdminPage title={page}>
      <Banner title={isMissing ? "There is nothing at this address" : title}>
        <span className="block">{messageOf(error)}</span>
        {!isMissing && <RetryButton />}
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
