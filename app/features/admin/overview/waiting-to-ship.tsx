import { Link } from "react-router";
import type { AdminOrderRow } from "../../../../domain/admin-orders.ts";
import { formatCents } from "../../../../domain/money.ts";
import type { Overview } from "../../../../domain/overview.ts";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { cutId } from "../orders/order-words.ts";

/** Orders that are paid and have not left, each with the way to its drawer. */
export function WaitingToShip({ waiting: { count, orders } }: { waiting: Overview["waitingToShip"] }) {
  return (
    <section aria-labelledby="to-ship" className="min-w-0">
      <h2 id="to-ship" className="mb-3 text-h3">
        Waiting to ship
      </h2>
      <DataTable
        caption="Orders waiting to ship"
        columns={columns}
        rows={orders}
        rowKey={({ orderId }) => orderId}
        empty={
          <p className="rounded-md border border-line bg-surface p-5 text-ink-muted">
            Nothing to ship. Paid orders wait here until you mark them as shipped.
          </p>
        }
      />
      {count > orders.length && (
        <LinkArrow to="/admin/orders?status=to_ship">All {count >= 100 ? "99+" : count}</LinkArrow>
      )}
    </section>
  );
}

const columns: Column<AdminOrderRow>[] = [
  {
    key: "order",
    header: "Order",
    cell: ({ id, number }) => (
      <span title={id} className="whitespace-nowrap">
        {cutId(id)} <span className="text-small text-ink-muted">#{number}</span>
      </span>
    ),
  },
  {
    key: "customer",
    header: "Customer",
    cell: ({ customer }) => <span className="wrap-anywhere">{customer?.name ?? "Anonymous"}</span>,
  },
  {
    key: "date",
    header: "Date",
    nowrap: true,
    cell: ({ created }) => <ShortDay iso={new Date(created * 1000).toISOString()} />,
  },
  { key: "amount", header: "Amount", align: "right", cell: ({ amount }) => formatCents(amount) },
  {
    key: "ship",
    header: <span className="sr-only">Actions</span>,
    align: "right",
    bare: true,
    cell: ({ orderId, number }) => (
      <Link
        to={`/admin/orders/${orderId}?status=to_ship`}
        className="link inline-flex min-h-11 min-w-11 items-center justify-end"
        aria-label={`Ship order ${number}`}
      >
        Ship
      </Link>
    ),
  },
];
