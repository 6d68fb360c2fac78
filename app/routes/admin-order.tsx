import { isRouteErrorResponse, useLocation } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { RetryButton } from "../features/admin/kit/admin-page.tsx";
import { Drawer } from "../features/admin/kit/drawer.tsx";
import { OrderDrawer } from "../features/admin/orders/drawer/order-drawer.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { viewerContext } from "../shop-context.ts";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-order";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Order #${args.loaderData.order.number}` : "Order");

export const loader = adminLoader(async ({ context, params: { id } }: Route.LoaderArgs, read) => {
  const seesMoney = context.get(viewerContext).admin?.role !== "packer";
  const [order, invoices] = await Promise.all([
    read("GET /api/admin/orders/:id", { params: { id } }),
    seesMoney ? read("GET /api/admin/orders/:id/invoices", { params: { id } }) : { data: [] },
  ]);
  return { order: order.data, invoices: invoices.data };
});

export default function AdminOrder({ loaderData: { order, invoices } }: Route.ComponentProps) {
  // The key resets the forms when another order is opened.
  return <OrderDrawer key={order.id} order={order} invoices={invoices} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { search } = useLocation();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Drawer title={isMissing ? "Order not found" : "Order"} closeTo={`/admin/orders${search}`}>
      {isMissing ? (
        <Banner title="There is no such order.">Check its number, or search for it in the list.</Banner>
      ) : (
        <Banner title="The order could not be loaded.">
          Please check your connection and try again.
          <RetryButton />
        </Banner>
      )}
    </Drawer>
  );
}
