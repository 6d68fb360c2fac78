import { adminLoader } from "../features/admin/admin-data.ts";
import { InboxView } from "../features/admin/contact/inbox-page.tsx";
import { inboxQuery } from "../features/admin/contact/inbox-query.ts";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-messages";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Messages");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/messages", { query: inboxQuery(new URL(request.url).searchParams) }),
);

export default function AdminMessages({ loaderData }: Route.ComponentProps) {
  return <InboxView page={loaderData} />;
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="Messages" title="Failed to load messages" />;
}
