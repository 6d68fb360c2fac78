import { Link } from "react-router";
import type { AdminHome } from "../../../domain/admin.ts";
import { formatCents } from "../../../domain/money.ts";
import { orderStatusLabel, orderStatusTone } from "../../../domain/order-status.ts";
import { Badge } from "../../ui/badge.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage } from "./kit/admin-page.tsx";

const badgeTone = { success: "green", warning: "yellow", info: "blue" } as const;

/** What the owner sees once the panel is unlocked: what waits for a decision, and what was sold. */
export function AdminHomeView({ home }: { home: AdminHome }) {
  return (
    <AdminPage title="Overview">
      <section aria-labelledby="attention">
        <h2 id="attention" className="font-display text-h3">
          Needs attention
        </h2>
        {home.attention.length === 0 ? (
          <p className="mt-3 text-ink-muted">Nothing waits for you.</p>
        ) : (
          <ul className="mt-3 grid gap-3">
            {home.attention.map((matter) => (
              <li key={matter.id}>
                <Banner
                  tone="warning"
                  title={matter.orderNumber === null ? "No order" : `Order #${matter.orderNumber}`}
                >
                  {matter.message} (<Time iso={matter.createdAt} />)
                </Banner>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="mt-10" aria-labelledby="orders">
        <h2 id="orders" className="font-display text-h3">
          Paid orders
        </h2>
        {home.orders.length === 0 ? (
          <p className="mt-3 text-ink-muted">No order has been paid yet.</p>
        ) : (
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {home.orders.map((order) => (
              <li
                key={order.id}
                className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[5rem_1fr_6rem_10rem] sm:items-center"
              >
                <Link className="font-medium text-link underline" to={`/orders/${order.id}`}>
                  #{order.number}
                </Link>
                <span className="min-w-0 wrap-anywhere">
                  {order.customerName}, <span className="text-ink-muted">{order.email}</span>
                  <span className="block text-small text-ink-muted">
                    {order.units} {order.units === 1 ? "unit" : "units"}, <Time iso={order.paidAt} />
                  </span>
                </span>
                <span className="tabular-nums sm:text-right">{formatCents(order.totalCents)}</span>
                <span>
                  <Badge tone={badgeTone[orderStatusTone(order.status)]}>
                    {orderStatusLabel(order.status)}
                  </Badge>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </AdminPage>
  );
}
