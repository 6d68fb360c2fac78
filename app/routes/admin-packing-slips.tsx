import Printer from "lucide-react/icons/printer";
import { addressLines } from "../../domain/address/address-format.ts";
import { maxBulkShipments } from "../../domain/orders/admin-order.ts";
import type { Gift, OrderShipment } from "../../domain/orders/order.ts";
import { formatDay } from "../../domain/orders/order-text.ts";
import { itemsToPack, type Packing } from "../../domain/orders/packing.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-packing-slips";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Packing slips");

/** `?order=<id>`, which may be repeated; with `&parcel=<id>`, the slip of one shipped parcel. */
export const loader = adminLoader(async ({ context, request }: Route.LoaderArgs, read) => {
  const { searchParams } = new URL(request.url);
  const ids = searchParams.getAll("order").slice(0, maxBulkShipments);
  const orders: Packing[] = [];
  for (const id of ids) {
    orders.push((await read("GET /api/admin/packing/:id", { params: { id } })).data);
  }
  // Without an order, no API call has checked the viewer's role, so the seller's details must not be loaded.
  if (orders.length === 0) return null;
  const shop = context.get(shopContext);
  return {
    orders,
    /** Id of a shipped parcel; if undefined, the slip lists the units still to ship. */
    shipmentId: searchParams.get("parcel") ?? undefined,
    brandName: (await shop.settings()).brandName,
    returnAddress: await shop.returnAddress(),
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
              <PanelButton variant="primary" onClick={() => window.print()}>
                <Icon glyph={Printer} size="small" /> Print
              </PanelButton>
            )
          }
        >
          {orders.length === 0 && (
            <EmptyState
              boxed
              glyph={Printer}
              title="No orders selected"
              action={
                <ButtonLink variant="secondary" size="small" to="/admin/orders?status=to_ship">
                  Go to orders
                </ButtonLink>
              }
            >
              Choose orders in the list, then print their slips together.
            </EmptyState>
          )}
        </AdminPage>
      </div>
      <div className="grid gap-6 print:block">
        {loaderData?.orders.map((order) => (
          <PackingSlip key={order.id} order={order} {...loaderData} />
        ))}
      </div>
    </div>
  );
}

export const ErrorBoundary = problemPage("Packing slips", "The packing slips could not be loaded");

/**
 * A parcel's contents on one page, without prices. A gift's slip begins with its note, like a card. The slip of an
 * order that was cancelled or refunded after it was selected carries a warning not to ship it.
 */
function PackingSlip({
  order,
  brandName,
  returnAddress,
  shipmentId,
}: NonNullable<Route.ComponentProps["loaderData"]> & { order: Packing }) {
  const items = itemsToPack(order, shipmentId);
  const parcel = order.mayShip && !shipmentId ? null : findParcel(order, shipmentId);
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <article className="break-after-page rounded-md border border-line bg-surface p-[clamp(1.25rem,4vw,2.5rem)] last:break-after-auto print:rounded-none print:border-0 print:bg-transparent print:p-0">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line pb-4">
        <p className="type-display text-h3">{brandName}</p>
        <h2 className="flex items-baseline gap-3 text-h3 lining-nums">
          {order.gift && (
            <span className="font-sans print:hidden">
              <Badge tone="cream">Gift</Badge>
            </span>
          )}
          Order #{order.number}
        </h2>
      </header>
      {units === 0 ? (
        <p className="mt-5 font-semibold">Do not ship: the order is unpaid, cancelled or refunded.</p>
      ) : (
        <>
          {order.gift && <GiftCard gift={order.gift} recipient={order.customerName} />}
          <Contents order={order} items={items} units={units} parcel={parcel} returnAddress={returnAddress} />
        </>
      )}
    </article>
  );
}

/** The gift note, as large as one page allows. */
function GiftCard({ gift: { from, note }, recipient }: { gift: Gift; recipient: string }) {
  const dedication = `A gift for ${recipient}`;
  const isLong = note !== null && (note.length > 160 || note.split("\n").length > 5);
  return (
    <div
      className={`mx-auto grid max-w-2xl justify-items-center gap-6 px-2 py-[clamp(3rem,8vw,5rem)] text-center wrap-anywhere ${isLong ? "print:py-8" : "print:py-16"}`}
    >
      {note && <p className="text-small text-ink-muted">{dedication}</p>}
      <p
        dir="auto"
        className={`type-display whitespace-pre-line ${isLong ? "text-lead leading-normal" : "text-h2 leading-snug"}`}
      >
        {note ?? dedication}
      </p>
      <hr className="w-12 border-t-2 border-gold-500" />
      {from && (
        <p dir="auto" className={`type-display ${isLong ? "text-lead" : "text-h3"}`}>
          From {from}
        </p>
      )}
    </div>
  );
}

function Contents({
  order,
  items,
  units,
  parcel,
  returnAddress,
}: {
  order: Packing;
  items: Packing["items"];
  units: number;
  /** Null if it has not been shipped yet. */
  parcel: OrderShipment | null;
  returnAddress: readonly string[];
}) {
  return (
    <>
      <div className="mt-5 grid gap-5 sm:grid-cols-2 print:grid-cols-2">
        <AddressBlock title="Ship to" lines={addressLines(order)} className="text-lead leading-snug" />
        {returnAddress.length > 0 && (
          <AddressBlock
            title="If undeliverable, return to"
            lines={returnAddress}
            className="text-small text-ink-muted"
          />
        )}
        <dl className="grid h-fit grid-cols-[auto_1fr] gap-x-2 gap-y-1 text-ui sm:col-span-2 sm:flex sm:flex-wrap print:col-span-2 print:flex print:flex-wrap [&_dd]:mr-5">
          {!order.gift && (
            <>
              <dt className="text-ink-muted">Placed</dt>
              <dd>
                <ShortDay iso={order.createdAt} />
              </dd>
            </>
          )}
          <dt className="text-ink-muted">Shipping</dt>
          <dd>{order.shippingOption.name}</dd>
          {order.followUp && (
            <>
              <dt className="text-ink-muted">For you</dt>
              <dd>
                {order.followUp.kind === "replacement"
                  ? "Replacement, free of charge, for"
                  : "Exchange for units of"}{" "}
                order #{order.followUp.number}
              </dd>
            </>
          )}
          {parcel && (
            <>
              <dt className="text-ink-muted">
                {order.shipments.length > 1 ? `Parcel ${parcel.number}` : "Parcel"}
              </dt>
              <dd className="wrap-anywhere">
                {parcel.carrier} {parcel.trackingNumber}
              </dd>
            </>
          )}
        </dl>
      </div>
      <table className="mt-6 w-full border-collapse text-ui">
        <thead>
          <tr className="border-b border-line-strong text-left text-small text-ink-muted">
            <th scope="col" className="w-16 py-2 font-semibold">
              Units
            </th>
            <th scope="col" className="py-2 font-semibold">
              Item
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ productId, quantity, name, sku, batches }) => (
            <tr key={productId} className="border-b border-line align-top">
              <td className="py-3 font-semibold tabular-nums">{quantity}</td>
              <td className="py-3 wrap-anywhere">
                {name}
                {sku && <span className="block text-small text-ink-muted">SKU {sku}</span>}
                {batches.map((batch) => (
                  <span key={batch.code} className="block text-small text-ink-muted">
                    Batch {batch.code}
                    {batches.length > 1 && ` (${batch.quantity})`}, best before{" "}
                    <span className="whitespace-nowrap">{formatDay(batch.bestBefore, "UTC")}</span>
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-4 text-small text-ink-muted">
        {units === 1 ? "1 unit" : `${units} units`} in this parcel.
        {units < orderedUnits(order) && " Your order comes in several parcels."}
      </p>
    </>
  );
}

function findParcel({ shipments }: Packing, id: string | undefined): OrderShipment | null {
  return (id ? shipments.find((parcel) => parcel.id === id) : shipments.at(-1)) ?? null;
}

/** All units of the order, shipped or not. */
function orderedUnits({ items, shipments }: Packing): number {
  const unitsToShip = items.reduce((sum, { toShip }) => sum + toShip, 0);
  return shipments
    .flatMap((shipment) => shipment.items)
    .reduce((sum, { quantity }) => sum + quantity, unitsToShip);
}

function AddressBlock({
  title,
  lines,
  className,
}: {
  title: string;
  lines: readonly string[];
  className: string;
}) {
  return (
    <div>
      <h3 className="font-sans text-small font-semibold tracking-normal">{title}</h3>
      <address className={`mt-1 wrap-anywhere not-italic ${className}`}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal and never move
          <span key={index} className="block">
            {line}
          </span>
        ))}
      </address>
    </div>
  );
}
