import { Outlet } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { SentPage } from "../features/admin/outbox/sent-page.tsx";
import { outboxQuery } from "../features/admin/outbox/sent-query.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-sent";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sent messages");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/outbox", { query: outboxQuery(new URL(request.url).searchParams) }),
);

export default function AdminSent({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <SentPage page={loaderData} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="Messages" title="Failed to load sent messages" />;
}
