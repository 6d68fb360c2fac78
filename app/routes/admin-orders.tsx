import { redirect } from "react-router";
import { isVisibleToPackers } from "../../domain/orders/admin-orders.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { listQuery } from "../features/admin/orders/list/order-filters.tsx";
import { OrdersPage } from "../features/admin/orders/list/orders-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { viewerContext } from "../shop-context.ts";
import type { Route } from "./+types/admin-orders";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "View Orders");

export const loader = adminLoader(async ({ context, request }: Route.LoaderArgs, read) => {
  const query = listQuery(new URL(request.url).searchParams);
  // Packers see only some of the lists, and start with the orders to ship.
  const isPacker = context.get(viewerContext).admin?.role === "packer";
  if (isPacker && !isVisibleToPackers(query.status ?? "")) throw redirect("/admin/orders?status=to_ship");
  const [page, choices] = await Promise.all([
    read("GET /api/orders", { query }),
    isPacker ? null : read("GET /api/admin/order-filters"),
  ]);
  return { page, choices: choices?.data ?? null };
});

export default function AdminOrders({ loaderData }: Route.ComponentProps) {
  return <OrdersPage page={loaderData.page} choices={loaderData.choices} />;
}

export const ErrorBoundary = problemPage("View Orders", "Failed to load Stripe orders");
