import { Outlet } from "react-router";
import { messageChannels, messageKinds, messageStatuses } from "../../domain/outbox/outbox.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { SentPage } from "../features/admin/outbox/sent-page.tsx";
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

export const ErrorBoundary = problemPage("Messages", "Failed to load sent messages");

const pageSize = "50";
const filterValues: Record<string, readonly string[]> = {
  status: messageStatuses,
  channel: messageChannels,
  kind: messageKinds,
};

/** API query for the page's address. Unknown values are left out. */
function outboxQuery(search: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = { limit: pageSize };
  for (const [name, values] of Object.entries(filterValues)) {
    const value = search.get(name);
    if (value !== null && values.includes(value)) query[name] = value;
  }
  for (const name of ["q", "cursor"]) {
    const value = search.get(name);
    if (value) query[name] = value;
  }
  return query;
}
