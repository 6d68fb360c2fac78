import { Outlet } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { listQuery } from "../features/admin/orders/list/list-query.ts";
import { OrdersPage } from "../features/admin/orders/list/orders-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-orders";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "View Orders");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/orders", { query: listQuery(new URL(request.url).searchParams) }),
);

export default function AdminOrders({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <OrdersPage page={loaderData} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="View Orders" title="Failed to load Stripe orders" />;
}
