import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-messages";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Messages");

export default function AdminMessages() {
  return <AdminPage title="Messages">This section is being built.</AdminPage>;
}
