import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-products";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Manage Products");

export default function AdminProducts() {
  return <AdminPage title="Manage Products">This section is being built.</AdminPage>;
}
