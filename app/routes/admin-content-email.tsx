import { data } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { EmailEditor } from "../features/admin/content/email-editor.tsx";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-content-email";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData?.text.name ?? "Emails");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  // First, because this call checks the session.
  const { data: groups } = await read("GET /api/admin/email-texts");
  const email = groups.flatMap(({ emails }) => emails).find(({ kind }) => kind === params.kind);
  if (!email) throw data({ message: "No email has this name." }, { status: 404 });
  const { kind } = email;
  const [text, versions] = await Promise.all([
    read("GET /api/admin/email-texts/:kind", { params: { kind } }),
    read("GET /api/admin/email-texts/:kind/versions", { params: { kind } }),
  ]);
  return { text: text.data, versions };
});

export default function AdminContentEmail({ loaderData: { text, versions } }: Route.ComponentProps) {
  return <EmailEditor key={text.kind} saved={text} versions={versions} />;
}

export function ErrorBoundary() {
  return <AdminProblem page="Emails" title="Failed to load the text" />;
}
