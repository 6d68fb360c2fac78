import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-reviews";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Reviews");

export default function AdminReviews() {
  return <AdminPage title="Reviews">This section is being built.</AdminPage>;
}
