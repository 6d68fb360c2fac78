import type { ReactNode } from "react";
import { Link } from "react-router";
import { shipHoldLabels } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrderRow } from "../../../../../domain/orders/admin-orders.ts";
import { followUpText } from "../../../../../domain/orders/replacement.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { homeCountry } from "../../../../../domain/shipping/served-countries.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { type Column, rowLink } from "../../kit/list/data-table.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { deliveryLabels, paymentBadge, refundLabels, shortId } from "../order-labels.ts";
import { CountryTag, ExpeditedTag, SameAddressNote } from "../order-marks.tsx";

/** Classes of a full-width line of the phone's card, below name and amount. `rowClass` places the line. */
const lineClass = (rowClass: string) => `max-md:col-span-2 ${rowClass}`;

/** The columns of the list. `search`: the list's query string, kept in the links to orders. */
export function orderColumns(
  search: string,
  { isToShipList, isPacker }: { isToShipList: boolean; isPacker: boolean },
): Column<AdminOrderRow>[] {
  const columns: Column<AdminOrderRow>[] = [
    {
      header: "Order",
      phone: `${lineClass("max-md:row-start-5")} max-md:text-caption max-md:text-ink-muted`,
      cell: (row) => (
        <span className="md:grid">
          <Link
            to={{ pathname: `/admin/orders/${row.orderId}`, search }}
            {...rowLink}
            data-order-link
            aria-label={`Open order #${row.number}`}
          >
            #{row.number}
          </Link>
          <Dot />
          <span className="md:text-small md:whitespace-nowrap md:text-ink-muted">
            <ShortDay iso={toIso(row.created)} />
          </span>
          {!isPacker && (
            <span className="md:hidden">
              <Dot />
              {paymentBadge(row).label}
              <Dot />
              <span title={row.id}>{shortId(row.id)}</span>
            </span>
          )}
          {(row.isTest || row.isGift) && (
            <span className="max-md:ml-2">
              {row.isTest && <Badge tone="blue">Test</Badge>} {row.isGift && <Badge tone="cream">Gift</Badge>}
            </span>
          )}
        </span>
      ),
    },
    {
      header: "Customer",
      phone: "max-md:col-start-1 max-md:row-start-1 max-md:min-w-0",
      cell: ({ customer, isExpedited, shippingOption, delivery }) => (
        // The table cuts an e-mail address off after one line; the opened order shows all of it.
        <span className="block min-w-0 wrap-anywhere md:max-w-32 xl:min-w-36 xl:max-w-44 2xl:max-w-64">
          <span
            className="font-medium max-md:mr-2 max-md:font-semibold md:line-clamp-2"
            title={customer?.name ?? undefined}
          >
            {customer?.name ?? "Anonymous"}
          </span>
          {isExpedited && isUnshipped(delivery) && (
            <span className="md:hidden">
              <ExpeditedTag>{shippingOption}</ExpeditedTag>
            </span>
          )}
          {customer?.email !== "" && (
            <span
              className="block truncate text-small text-ink-muted max-md:hidden"
              title={customer?.email ?? undefined}
            >
              {customer?.email ?? "No email"}
            </span>
          )}
        </span>
      ),
    },
    {
      header: "Items",
      phone: lineClass("max-md:row-start-3"),
      cell: ({ items }) =>
        items.map(({ quantity, description }) => (
          <span
            key={description}
            className="block wrap-anywhere md:line-clamp-2 md:min-w-24 xl:min-w-36"
            title={description}
          >
            {quantity} × {description}
          </span>
        )),
    },
    {
      header: "Ship to",
      hidesOnTablets: true,
      phone: lineClass("max-md:row-start-4"),
      cell: ({ shipTo, sameAddress }) => (
        <>
          {shipTo && (
            <span
              className="wrap-anywhere md:line-clamp-2 md:min-w-28 md:max-w-40"
              title={formatPlace(shipTo)}
            >
              {formatPlace(shipTo)}
              {/* Another country is a tag; in the table, the country has a line of its own. */}
              {shipTo.country === homeCountry && <span className="md:hidden">,</span>}{" "}
            </span>
          )}
          {shipTo && <CountryTag code={shipTo.country} />}
          {sameAddress.length > 0 && (
            <span className="block">
              <SameAddressNote orders={sameAddress} />
            </span>
          )}
        </>
      ),
    },
    {
      header: "Delivery",
      phone: "max-md:col-start-1 max-md:row-start-2 max-md:min-w-0 max-md:empty:sr-only",
      cell: (row) => <Delivery row={row} isToShipList={isToShipList} />,
    },
    {
      header: "Amount",
      align: "right",
      // Spans two rows, so that a refund is beside the delivery.
      phone:
        "max-md:col-start-2 max-md:row-start-1 max-md:row-span-2 max-md:justify-self-end max-md:text-right",
      cell: (row) => (
        <>
          <span className="font-semibold">{formatCents(row.amount)}</span>
          {refundLabels(row).map((words) => (
            <span key={words} className="block text-small whitespace-nowrap text-ink-muted">
              {words}
            </span>
          ))}
        </>
      ),
    },
    {
      header: "Payment",
      phone: "max-md:hidden",
      cell: (row) => {
        const { tone, label } = paymentBadge(row);
        return (
          <>
            <Badge tone={tone}>{label}</Badge>
            <span className="block text-caption whitespace-nowrap text-ink-muted" title={row.id}>
              {shortId(row.id)}
            </span>
          </>
        );
      },
    },
  ];
  // Packers see no amounts, and all orders in their lists are paid.
  return columns.filter(({ header }) => !isPacker || (header !== "Amount" && header !== "Payment"));
}

function formatPlace({ city, state }: NonNullable<AdminOrderRow["shipTo"]>): string {
  return [city, state].filter(Boolean).join(", ");
}

function isUnshipped(delivery: AdminOrderRow["delivery"]): boolean {
  return !["shipped", "delivered", "cancelled", "not_sent", "not_started"].includes(delivery);
}

/** Shipping option or delivery state of an order, with its open issues. */
function Delivery({ row, isToShipList }: { row: AdminOrderRow; isToShipList: boolean }): ReactNode {
  const { delivery, shipHold, attention, returnAsked, followUp, tags, isExpedited, shippingOption } = row;
  const { label, isIdle } = deliveryLabels[delivery];
  const hasDefaultDelivery = isToShipList && delivery === "to_ship";
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 md:grid md:justify-items-start">
      {isExpedited && isUnshipped(delivery) ? (
        <span className="max-md:hidden">
          <ExpeditedTag>{shippingOption}</ExpeditedTag>
        </span>
      ) : (
        hasDefaultDelivery && <span className="max-md:hidden">{shippingOption}</span>
      )}
      {!hasDefaultDelivery && (
        <span className={`whitespace-nowrap max-md:font-semibold ${isIdle ? "text-ink-muted" : ""}`}>
          {label}
        </span>
      )}
      {delivery === "on_hold" && shipHold && shipHoldLabels[shipHold] && (
        <span className="text-small text-danger">{shipHoldLabels[shipHold]}</span>
      )}
      {followUp && <span className="text-small text-ink-muted">{followUpText(followUp)}</span>}
      {returnAsked && <Badge tone="yellow">Return open</Badge>}
      {attention && <Badge tone="red">Needs attention</Badge>}
      {tags.length > 0 && <span className="text-small text-ink-muted max-md:hidden">{tags.join(", ")}</span>}
    </span>
  );
}

/** Separates facts on one line on phones. */
function Dot() {
  return <span className="md:hidden"> · </span>;
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
