import { Outlet } from "react-router";
import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-orders";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "View Orders");

export default function AdminOrders() {
  return (
    <AdminPage title="View Orders">
      This section is being built.
      <Outlet />
    </AdminPage>
  );
}
