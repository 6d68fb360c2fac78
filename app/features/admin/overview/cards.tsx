import { Link } from "react-router";
import type { AdminOrderRow } from "../../../../domain/orders/admin-orders.ts";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { type Column, DataTable, rowLink } from "../kit/list/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { cutId } from "../orders/order-labels.ts";
import { useMay } from "../rights.ts";
import { DonationProgress } from "../sales/donation-summary.tsx";
import { RecordDonation } from "../sales/record-donation.tsx";
import { withinWords } from "./period-words.ts";

/** Donations: set aside in total and for this period's orders, and the amount sent. */
export function DonationsCard({ overview }: { overview: Overview }) {
  const { totalCents, proceedsCents, periodCents, percent, since } = overview.donated;
  return (
    <section
      aria-labelledby="donations"
      className="on-dark flex flex-col rounded-md bg-forest-800 xl:max-h-112 p-5 text-ink-on-dark md:p-6"
    >
      <h2 id="donations" className="text-h3">
        Set aside so far
      </h2>
      <div className="@container mt-2">
        <p className="type-display text-[min(3.125rem,15cqi)] leading-none whitespace-nowrap text-copper-300 lining-nums">
          {formatCents(totalCents)}
        </p>
      </div>
      <p className="mt-2 text-small text-ink-on-dark-muted">
        {since === null ? (
          "Counted from the first paid order on."
        ) : (
          <>
            of {formatCents(proceedsCents)} proceeds since <ShortDay iso={since} />, each order by the share
            that held then
          </>
        )}
      </p>
      <p className="mt-2 text-small text-ink-on-dark-muted">
        {formatCents(periodCents)} of it of orders {withinWords(overview)}. The share is {percent}% now.
      </p>
      <div className="mt-auto pt-6">
        <DonationProgress givenCents={totalCents} totals={overview.donated} />
        <div className="mt-5">
          <RecordDonation totals={overview.donated} today={overview.today} variant="on-dark" />
        </div>
      </div>
    </section>
  );
}

/** The newest unanswered message. */
export function LatestMessage({ message }: { message: Overview["latestMessage"] }) {
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">Latest message</h2>
      {message === null ? (
        <p className="mt-2 text-ink-muted">No message waits for an answer.</p>
      ) : (
        <>
          <p className="mt-2 text-small wrap-anywhere text-ink-muted">
            {message.name} · {message.about} · <ShortDay iso={message.createdAt} />
          </p>
          <p className="mt-2 line-clamp-4 wrap-anywhere whitespace-pre-line">{message.text}</p>
        </>
      )}
      <LinkArrow to={message === null ? "/admin/messages" : `/admin/messages/${message.id}`}>
        {message === null ? "Open inbox" : "Open message"}
      </LinkArrow>
    </Card>
  );
}

/** The conversion funnel: visits, orders placed and orders paid, each with its share of the step before. */
export function ConversionCard({ overview }: { overview: Overview }) {
  const { productViews, checkouts, paid } = overview.figures.conversion;
  const steps = [
    { name: "Visits", count: productViews, share: null },
    { name: "Orders placed", count: checkouts, share: shareOf(checkouts, productViews, "of visits") },
    { name: "Of these, paid", count: paid, share: shareOf(paid, checkouts, "of orders placed") },
  ];
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">From visit to order</h2>
      <ol className="mt-3 grid gap-1 sm:grid-cols-3 sm:gap-4">
        {steps.map(({ name, count, share }) => (
          <li key={name} className="grid grid-cols-[1fr_auto] items-baseline gap-x-2.5 sm:block">
            <span className="text-small text-ink-muted sm:block">{name}</span>
            <span className="type-display text-[1.5rem] lining-nums max-sm:text-right">
              {count.toLocaleString("en-US")}
            </span>
            {share && <span className="text-caption text-ink-muted sm:block">{share}</span>}
          </li>
        ))}
      </ol>
      <p className="mt-3 text-caption text-ink-muted">
        Counted {withinWords(overview)}: a visitor once an hour, on every page where a purchase can begin.
        Until November 2026 only product pages counted.
      </p>
    </Card>
  );
}

function shareOf(part: number, whole: number, words: string): string | null {
  return whole === 0 ? null : `${Math.round((part / whole) * 1000) / 10}% ${words}`;
}

/** Paid orders that are not shipped, each with a link to its page. */
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
