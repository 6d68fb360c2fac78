import { Link } from "react-router";
import type { InboxThread } from "../../../../domain/contact/inbox.ts";
import { orderStatusLabel } from "../../../../domain/orders/order-status.ts";
import { ShortDay } from "../kit/short-day.tsx";

/** The latest orders of the sender's address, which is what most questions are about. */
export function SenderOrders({ orders }: { orders: InboxThread["orders"] }) {
  if (orders.length === 0) return null;
  return (
    <p className="mt-5 flex flex-wrap gap-x-4 text-small text-ink-muted">
      <span className="inline-flex min-h-11 items-center">Orders of this address:</span>
      {orders.map((order) => (
        <Link
          key={order.id}
          to={`/admin/orders/${order.id}`}
          className="link inline-flex min-h-11 items-center gap-1.5"
        >
          #{order.number}, {orderStatusLabel(order.status)}, <ShortDay iso={order.createdAt} />
        </Link>
      ))}
    </p>
  );
}
