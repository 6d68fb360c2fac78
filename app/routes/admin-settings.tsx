import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-settings";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Settings");

export default function AdminSettings() {
  return <AdminPage title="Settings">This section is being built.</AdminPage>;
}
