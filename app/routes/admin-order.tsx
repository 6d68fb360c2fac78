import { isRouteErrorResponse, useLocation } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { Drawer } from "../features/admin/kit/drawer.tsx";
import { OrderDrawer } from "../features/admin/orders/drawer/order-drawer.tsx";
import { OrderProblem } from "../features/admin/orders/drawer/order-problem.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-order";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Order #${args.loaderData.number}` : "Order");

export const loader = adminLoader(
  async ({ params: { id } }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/orders/:id", { params: { id } })).data,
);

export default function AdminOrder({ loaderData: order }: Route.ComponentProps) {
  // Another order begins with forms of its own.
  return <OrderDrawer key={order.id} order={order} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { search } = useLocation();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Drawer title={isMissing ? "Order not found" : "Order"} closeTo={`/admin/orders${search}`}>
      <OrderProblem isMissing={isMissing} />
    </Drawer>
  );
}
