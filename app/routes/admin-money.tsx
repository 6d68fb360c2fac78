import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-money";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Money check");

export default function AdminMoney() {
  return <AdminPage title="Money check">This section is being built.</AdminPage>;
}
