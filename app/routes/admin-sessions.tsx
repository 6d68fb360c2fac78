import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-sessions";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sessions");

export default function AdminSessions() {
  return <AdminPage title="Sessions">This section is being built.</AdminPage>;
}
