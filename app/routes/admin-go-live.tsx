import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-go-live";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Go-live check");

export default function AdminGoLive() {
  return <AdminPage title="Go-live check">This section is being built.</AdminPage>;
}
