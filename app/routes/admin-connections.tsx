import { adminLoader } from "../features/admin/admin-data.ts";
import { ConnectionsPage } from "../features/admin/connections/connections-page.tsx";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-connections";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Keys and connections");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/connections")).data,
);

export default function AdminConnections({ loaderData }: Route.ComponentProps) {
  return <ConnectionsPage state={loaderData} />;
}

export function ErrorBoundary() {
  return <AdminProblem page="Keys and connections" title="Failed to load the keys" />;
}
