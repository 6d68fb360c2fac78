import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-activity";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Activity");

export default function AdminActivity() {
  return <AdminPage title="Activity">This section is being built.</AdminPage>;
}
