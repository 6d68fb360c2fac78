import { adminLoader } from "../features/admin/admin-data.ts";
import { InboxView } from "../features/admin/contact/inbox-page.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-messages";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Messages");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/messages", { query: inboxQuery(new URL(request.url).searchParams) }),
);

export default function AdminMessages({ loaderData }: Route.ComponentProps) {
  return <InboxView page={loaderData} />;
}

export const ErrorBoundary = problemPage("Messages", "Failed to load messages");

const shownAtOnce = 25;

/** API query of each list of the inbox (`?show=`). */
const lists: Record<string, { status?: string; suspicious?: boolean }> = {
  open: { status: "open", suspicious: false },
  done: { status: "done" },
  suspicious: { suspicious: true },
  all: {},
};

/** API query for the inbox's address. An unknown list is treated as the list of open messages. */
function inboxQuery(search: URLSearchParams) {
  const list = lists[search.get("show") ?? "open"] ?? lists.open;
  return { ...list, q: search.get("q") || null, cursor: search.get("cursor") || null, limit: shownAtOnce };
}
