import Link2Off from "lucide-react/icons/link-2-off";
import { data } from "react-router";
import { ConfirmDeletion, DeletionStarted, DownloadData } from "../features/account/data-pages.tsx";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/account-data";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Your data");

export const headers = tokenPageHeaders;

/** Opening the page does not use the link up, because mail scanners open links, too. The button does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token") ?? "";
  return { token, link: await context.get(shopContext).dataLink(token), isBusy: searchParams.has("busy") };
}

/** Handles the deletion's button. The copy is downloaded from another address (account-file.ts). */
export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const answer = await context.get(apiContext).call("POST /api/account/deletion/use", {
    body: { token: entry("token"), confirm: entry("confirm") === "yes" },
  });
  if (answer.ok) return data({ kept: answer.body.data.kept, problem: null, failure: null });
  const { status, fields, message } = answer.problem;
  const problem = fields.confirm ?? null;
  return data({ kept: null, problem, failure: problem === null ? message : null }, { status });
}

export default function DataPage({ loaderData: { token, link, isBusy }, actionData }: Route.ComponentProps) {
  if (actionData?.kept) return <DeletionStarted kept={actionData.kept} />;
  if (link?.purpose === "export") return <DownloadData token={token} email={link.email} isBusy={isBusy} />;
  if (link?.purpose === "deletion") {
    return <ConfirmDeletion token={token} email={link.email} outcome={actionData} />;
  }
  return (
    <EmptyState
      glyph={Link2Off}
      heading="h1"
      title="This link can’t be used any more"
      action={<ButtonLink to="/account#your-data">Ask for a new link</ButtonLink>}
    >
      Links work once, within one hour.
    </EmptyState>
  );
}
