import Printer from "lucide-react/icons/printer";
import { bulkShipMax } from "../../domain/orders/admin-order.ts";
import type { Packing } from "../../domain/orders/packing.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { PackingSlip } from "../features/admin/orders/packing-slip.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-packing-slips";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Packing slips");

/** `?order=<id>`, any number of times; with `&parcel=<id>` the slip of one shipped parcel. */
export const loader = adminLoader(async ({ context, request }: Route.LoaderArgs, read) => {
  const { searchParams } = new URL(request.url);
  const ids = searchParams.getAll("order").slice(0, bulkShipMax);
  const orders: Packing[] = [];
  for (const id of ids) {
    orders.push((await read("GET /api/admin/packing/:id", { params: { id } })).data);
  }
  // Without an order, no API call has checked the role of the viewer: load no seller details.
  if (orders.length === 0) return null;
  const { seller, contact, brandName } = await context.get(shopContext).settings();
  return {
    orders,
    shipmentId: searchParams.get("parcel") ?? undefined,
    brandName,
    returnAddress: [seller.legalName ?? brandName, ...(seller.address ?? contact.location ?? "").split("\n")],
  };
});

export default function AdminPackingSlips({ loaderData }: Route.ComponentProps) {
  const orders = loaderData?.orders ?? [];
  return (
    <div data-slips className="max-w-form print:max-w-none">
      <div className="print:hidden">
        <AdminPage
          title={orders.length === 1 ? "Packing slip" : "Packing slips"}
          back={{ to: "/admin/orders?status=to_ship", label: "Orders to ship" }}
          actions={
            orders.length > 0 && (
              <Button size="small" onClick={() => window.print()}>
                <Icon glyph={Printer} size="small" /> Print
              </Button>
            )
          }
        >
          {orders.length === 0 && <p className="text-ink-muted">Choose the orders in the list first.</p>}
        </AdminPage>
      </div>
      <div className="grid gap-6 print:block">
        {loaderData?.orders.map((order) => (
          <PackingSlip
            key={order.id}
            order={order}
            shipmentId={loaderData.shipmentId}
            brandName={loaderData.brandName}
            returnAddress={loaderData.returnAddress}
          />
        ))}
      </div>
    </div>
  );
}

export const ErrorBoundary = problemPage("Packing slips", "The packing slips could not be loaded");
