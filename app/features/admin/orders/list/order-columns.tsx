import { Link } from "react-router";
import { shipHoldLabels } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrderRow } from "../../../../../domain/orders/admin-orders.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { type Column, rowLink } from "../../kit/list/data-table.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { cutId, deliveryLabels, paymentBadge, refundLabels } from "../order-labels.ts";

const leftColumn = "max-md:col-start-1";
const rightColumn = "max-md:col-start-2 max-md:justify-self-end max-md:text-right";

/** The columns of the list. `search`: the list's query string, kept in the links to orders. */
export function orderColumns(search: string): Column<AdminOrderRow>[] {
  return [
    {
      key: "order",
      header: "Order",
      phone: `${leftColumn} max-md:row-start-1 max-md:min-w-0`,
      cell: ({ id, orderId, number, created, customer, isTest, isGift }) => (
        <span title={id}>
          <Link
            to={{ pathname: `/admin/orders/${orderId}`, search }}
            preventScrollReset
            // The drawer returns the focus to this link when it closes.
            state={{ keepsFocus: true }}
            {...rowLink}
            data-order-link
            aria-label={`Open order #${number}`}
          >
            #{number}
          </Link>{" "}
          <span className="wrap-anywhere md:hidden">{customer?.name ?? "Anonymous"}</span>{" "}
          {isTest && <Badge tone="blue">Test</Badge>} {isGift && <Badge tone="cream">Gift</Badge>}
          <span className="text-small whitespace-nowrap text-ink-muted max-md:hidden md:block">
            {cutId(id)}
          </span>
          <span className="hidden text-small whitespace-nowrap text-ink-muted md:max-xl:block">
            <ShortDay iso={isoOf(created)} />
          </span>
        </span>
      ),
    },
    {
      key: "customer",
      header: "Customer",
      phone: "max-md:hidden",
      cell: ({ customer }) => (
        // In the table an address is cut off after one line; the opened order shows all of it.
        <span className="block min-w-0 wrap-anywhere md:max-w-32 xl:max-w-44 2xl:max-w-64">
          <span className="block font-medium">{customer?.name ?? "Anonymous"}</span>
          {customer?.email !== "" && (
            <span
              className="block text-small text-ink-muted md:truncate"
              title={customer?.email ?? undefined}
            >
              {customer?.email ?? "No email"}
            </span>
          )}
        </span>
      ),
    },
    {
      key: "date",
      header: "Date",
      wide: true,
      nowrap: true,
      phone: "max-md:hidden",
      cell: ({ created }) => <ShortDay iso={isoOf(created)} />,
    },
    {
      key: "items",
      header: "Items",
      phone: `${leftColumn} max-md:row-start-2 max-md:truncate max-md:text-small max-md:text-ink-muted`,
      cell: ({ created, items }) => (
        <>
          <span className="md:hidden">
            <ShortDay iso={isoOf(created)} />
          </span>
          {items.map(({ quantity, description }) => (
            <span key={description} className="max-md:before:content-['_·_'] md:block">
              {quantity} × {description}
            </span>
          ))}
        </>
      ),
    },
    {
      key: "amount",
      header: "Amount",
      align: "right",
      phone: `${rightColumn} max-md:row-start-1 max-md:font-semibold`,
      cell: (row) => (
        <>
          {formatCents(row.amount)}
          {refundLabels(row).map((words) => (
            <span key={words} className="block text-small font-normal whitespace-nowrap text-ink-muted">
              {words}
            </span>
          ))}
          <span className="hidden pt-1 md:max-xl:block">
            <PaymentBadge row={row} />
          </span>
        </>
      ),
    },
    {
      key: "payment",
      header: "Payment",
      wide: true,
      phone: `${leftColumn} max-md:row-start-3`,
      // On phones only if it differs from the usual.
      cell: (row) => (
        <span className={row.status === "succeeded" ? "max-md:hidden" : ""}>
          <PaymentBadge row={row} />
        </span>
      ),
    },
    {
      key: "delivery",
      header: "Delivery",
      phone: `${rightColumn} max-md:row-start-2 max-md:text-small`,
      cell: ({ delivery, shipHold, attention, returnAsked, tags }) => (
        <span className="grid justify-items-start gap-1 max-md:justify-items-end">
          <span className={`whitespace-nowrap ${deliveryLabels[delivery].isIdle ? "text-ink-muted" : ""}`}>
            {deliveryLabels[delivery].label}
          </span>
          {delivery === "on_hold" && shipHold && shipHoldLabels[shipHold] && (
            <span className="text-small text-danger">{shipHoldLabels[shipHold]}</span>
          )}
          {returnAsked && <Badge tone="yellow">Return open</Badge>}
          {attention && <Badge tone="red">Needs attention</Badge>}
          {tags.length > 0 && (
            <span className="text-small text-ink-muted max-md:hidden">{tags.join(", ")}</span>
          )}
        </span>
      ),
    },
  ];
}

function PaymentBadge({ row }: { row: AdminOrderRow }) {
  const { tone, label } = paymentBadge(row);
  return <Badge tone={tone}>{label}</Badge>;
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
