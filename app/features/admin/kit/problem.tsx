import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { Banner } from "../../../ui/error-banner.tsx";
import { giveFocusBack } from "../../../ui/focus.ts";
import { AdminPage } from "./admin-page.tsx";
import { RetryButton } from "./retry-button.tsx";

/**
 * Shown by a tab's `ErrorBoundary`: the tab's h1, `title` as the bold cause ("Failed to load Stripe orders"), the
 * server's message, and Retry, which reloads only the data.
 */
export function AdminProblem({ page, title }: { page: string; title: string }) {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 0;
  const refusal = refusals[status];
  // Retry disappears with the problem: the focus moves to the page's heading.
  useEffect(() => () => void setTimeout(() => giveFocusBack(null)), []);
  return (
    <AdminPage title={page}>
      <Banner title={refusal ?? title}>
        <span className="block">{messageOf(error)}</span>
        {!refusal && <RetryButton />}
      </Banner>
    </AdminPage>
  );
}

/** Errors for which a retry would not help. */
const refusals: Partial<Record<number, string>> = {
  403: "This page is not for your role",
  404: "There is nothing at this address",
};

function messageOf(error: unknown): string | null {
  if (!isRouteErrorResponse(error)) return "Please check your connection and try again.";
  const data: unknown = error.data;
  return typeof data === "object" && data !== null && "message" in data && typeof data.message === "string"
    ? data.message
    : null;
}
