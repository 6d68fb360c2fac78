import { redirect } from "react-router";
import { formEntries } from "../features/form-entries.ts";
import { apiContext } from "../shop-context.ts";
import type { Route } from "./+types/reviews-helpful";

/** A vote for a review, sent without JavaScript: back to where it was given. */
export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const id = entry("id");
  await context.get(apiContext).call("PUT /api/reviews/:id/helpful", {
    params: { id },
    body: { helpful: true },
  });
  return redirect(cameFrom(request), 303);
}

/** The page of ours that the form stood on. */
function cameFrom(request: Request): string {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  const isOurs = referrer?.host === (request.headers.get("host") ?? new URL(request.url).host);
  return isOurs ? `${referrer.pathname}${referrer.search}#reviews` : "/reviews";
}

/** There is nothing to read here. */
export function loader() {
  return redirect("/reviews", 303);
}
