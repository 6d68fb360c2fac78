import { redirect } from "react-router";
import { formEntries } from "../features/form-entries.ts";
import { apiContext } from "../shop-context.ts";
import type { Route } from "./+types/reviews-helpful";

/** Handles a vote for a review that was sent without JavaScript, and redirects back to the review's page. */
export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const id = entry("id");
  await context.get(apiContext).call("PUT /api/reviews/:id/helpful", {
    params: { id },
    body: { helpful: true },
  });
  return redirect(returnPath(request), 303);
}

/** The reviews on the page that had the form, or the page of all reviews if the referrer is unknown. */
function returnPath(request: Request): string {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  const isSameHost = referrer?.host === (request.headers.get("host") ?? new URL(request.url).host);
  // A path with two slashes would be a URL at another host.
  return isSameHost && !referrer.pathname.startsWith("//")
    ? `${referrer.pathname}${referrer.search}#reviews`
    : "/reviews";
}

/** For visitors who type the URL. */
export function loader() {
  return redirect("/reviews", 303);
}
