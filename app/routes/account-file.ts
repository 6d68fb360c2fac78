import { redirect } from "react-router";
import { formEntries } from "../features/form-entries.ts";
import { apiContext } from "../shop-context.ts";
import type { Route } from "./+types/account-file";

/** Responds to a plain form with a copy of a person's data, as a file to download. */
export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const token = entry("token");
  const response = await context.get(apiContext).call("POST /api/account/export/use", { body: { token } });
  if (!response.ok) {
    const problem = response.problem.status === 429 ? "&busy=1" : "";
    return redirect(`/account/data?token=${encodeURIComponent(token)}${problem}`, 303);
  }
  return new Response(`${JSON.stringify(response.body.data, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
      "Cache-Control": "private, no-store",
    },
  });
}

/** For visitors who type the URL or return to it. */
export function loader() {
  return redirect("/account", 302);
}
