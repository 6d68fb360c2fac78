import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-discounts";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Discounts");

export default function AdminDiscounts() {
  return <AdminPage title="Discounts">This section is being built.</AdminPage>;
}
