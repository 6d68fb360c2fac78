import { isRouteErrorResponse } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { listQuery } from "../features/admin/orders/list/order-filters.tsx";
import { OrderPage } from "../features/admin/orders/order/order-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { viewerContext } from "../shop-context.ts";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-order";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Order #${args.loaderData.order.number}` : "Order");

/** The order's URL contains the filters of the list from which it was opened. */
export const loader = adminLoader(async ({ context, request, params: { id } }: Route.LoaderArgs, read) => {
  const seesMoney = context.get(viewerContext).admin?.role !== "packer";
  const { limit, cursor, ...query } = listQuery(new URL(request.url).searchParams);
  const [order, invoices, neighbors, labels] = await Promise.all([
    read("GET /api/admin/orders/:id", { params: { id } }),
    seesMoney ? read("GET /api/admin/orders/:id/invoices", { params: { id } }) : { data: [] },
    read("GET /api/admin/orders/:id/neighbors", { params: { id }, query }),
    context.get(viewerContext).admin?.role === "accountant"
      ? null
      : read("GET /api/admin/orders/:id/labels", { params: { id } }),
  ]);
  return {
    order: order.data,
    invoices: invoices.data,
    neighbors: neighbors.data,
    labels: labels?.data ?? null,
  };
});

export default function AdminOrder({ loaderData: { order, ...others } }: Route.ComponentProps) {
  // The key resets the forms when another order is opened.
  return <OrderPage key={order.id} order={order} {...others} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) {
    return <AdminProblem page="Order" title="The order could not be loaded" />;
  }
  return (
    <AdminPage title="Order not found" back={{ to: "/admin/orders", label: "Orders" }}>
      <Banner title="There is no such order.">Check its number, or search for it in the list.</Banner>
    </AdminPage>
  );
}
