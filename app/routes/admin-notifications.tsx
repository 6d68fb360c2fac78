import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-notifications";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Notification Settings");

export default function AdminNotifications() {
  return <AdminPage title="Notification Settings">This section is being built.</AdminPage>;
}
