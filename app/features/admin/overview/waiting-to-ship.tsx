import { Link } from "react-router";
import type { AdminOrderRow } from "../../../../domain/orders/admin-orders.ts";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { type Column, DataTable, rowLink } from "../kit/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { cutId } from "../orders/order-labels.ts";
import { useMay } from "../rights.ts";

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

function OrderLink({ orderId, number }: Pick<AdminOrderRow, "orderId" | "number">) {
  const mayShip = useMay("POST /api/admin/orders/ship");
  return (
    <Link
      to={`/admin/orders/${orderId}?status=to_ship`}
      {...rowLink}
      aria-label={`${mayShip ? "Ship" : "Open"} order #${number}`}
    >
      #{number}
    </Link>
  );
}

const columns: Column<AdminOrderRow>[] = [
  {
    key: "order",
    header: "Order",
    phone: "max-md:col-start-1 max-md:row-start-2 max-md:text-small",
    cell: ({ id, orderId, number }) => (
      <span title={id} className="whitespace-nowrap">
        <OrderLink orderId={orderId} number={number} />{" "}
        <span className="text-small text-ink-muted max-md:hidden">{cutId(id)}</span>
      </span>
    ),
  },
  {
    key: "customer",
    header: "Customer",
    phone: "max-md:col-start-1 max-md:row-start-1 max-md:font-medium",
    cell: ({ customer }) => <span className="wrap-anywhere">{customer?.name ?? "Anonymous"}</span>,
  },
  {
    key: "date",
    header: "Date",
    nowrap: true,
    phone:
      "max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end max-md:text-small max-md:text-ink-muted",
    cell: ({ created }) => <ShortDay iso={new Date(created * 1000).toISOString()} />,
  },
  {
    key: "amount",
    header: "Amount",
    align: "right",
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end max-md:font-semibold",
    cell: ({ amount }) => formatCents(amount),
  },
];
