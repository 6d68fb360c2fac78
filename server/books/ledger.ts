import { inArray, sql } from "drizzle-orm";
import { type LedgerEvent, ledgerLines } from "../../domain/books/ledger.ts";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import { startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { disputes } from "../disputes/tables.ts";
import { labelCosts } from "../labels/costs.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { taxPlaceColumns, taxPlaceName } from "../orders/tax-place.ts";
import { payments } from "../payments/tables.ts";
import { csvTime } from "../platform/csv.ts";
import { credits, isSale } from "../sales/sales-events.ts";
import { donations } from "../sales/tables.ts";
import { batchSize, type Cells, countedBalance, exactTime, instant, money, ofMode, paged } from "./paged.ts";
import type { TimeRange } from "./period.ts";
import { balanceEntries } from "./tables.ts";

/** One entry of the ledger. `id`: its kind and the id of the record that it books, such as "sale 1001". */
type Entry = { at: string; id: string; text: string; order: number | null; event: LedgerEvent };

export const ledgerTitles = (zone: string) => [
  `At (${zone})`,
  "Entry",
  "Text",
  "Order",
  "Account",
  "Debit",
  "Credit",
];

/** The lines of all entries of a period, in chronological order. */
export async function* ledgerCells(ctx: ShopContext, period: TimeRange): AsyncGenerator<Cells[]> {
  let batch: Cells[] = [];
  for await (const { at, id, text, order, event } of ledgerEntries(ctx, period)) {
    const time = csvTime(new Date(at), period.timeZone);
    for (const { account, debit, credit } of ledgerLines(event)) {
      batch.push([
        time,
        id,
        text,
        order,
        account,
        debit === 0 ? null : money(debit),
        credit === 0 ? null : money(credit),
      ]);
    }
    if (batch.length >= 1000) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Entries of a period in chronological order, merged from several tables that are read in pages. */
async function* ledgerEntries(ctx: ShopContext, period: TimeRange): AsyncGenerator<Entry> {
  const sources = [
    sales(ctx, period),
    corrections(ctx, period),
    balance(ctx, period),
    donationEntries(ctx, period),
    replacements(ctx, period),
    labelEntries(ctx, period),
  ];
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    let first: { index: number; entry: Entry } | null = null;
    for (const [index, head] of heads.entries()) {
      if (!head.done && (first === null || Date.parse(head.value.at) < Date.parse(first.entry.at)))
        first = { index, entry: head.value };
    }
    if (first === null) return;
    yield first.entry;
    const source = sources[first.index];
    if (source) heads[first.index] = await source.next();
  }
}

/** SQL column that tells whether a payment `p` that meets the condition was made outside the shop. */
const isOutside = (condition: string) =>
  sql`exists (select from ${payments} p where (${sql.raw(condition)}) and p.provider = 'manual' and p.status = 'succeeded') as is_outside`;

type SaleRow = {
  at: string;
  id: string;
  number: number;
  country: string | null;
  state: string | null;
} & Record<"subtotal_cents" | "discount_cents" | "shipping_cents" | "tax_cents", number> & {
    to_donate: string;
    is_outside: boolean;
    exchanged: number;
  };

async function* sales(ctx: ShopContext, { from, before }: TimeRange): AsyncGenerator<Entry> {
  const pages = paged(ctx, { at: sql`o.paid_at`, id: sql`o.id` }, (tx, after, page) =>
    tx.execute<SaleRow>(sql`select ${exactTime("o.paid_at")} as at, o.id, o.number, ${taxPlaceColumns},
      o.subtotal_cents - o.added_goods_cents as subtotal_cents, o.discount_cents, o.shipping_cents - o.added_shipping_cents as shipping_cents,
      o.tax_cents - o.added_tax_cents as tax_cents, ${toDonateAfter({ goods: originalGoods, total: originalTotal, credited: "0", isCancelled: "false" })} as to_donate,
      ${isOutside("p.order_id = o.id and p.order_edit_id is null")},
      case when o.credit_cents = 0 then 0 else coalesce((select sum(p.amount_cents)::int from ${payments} p
        where p.order_id = o.id and p.exchange_id is not null), 0) end as exchanged
    from ${orders} o where o.paid_at >= ${instant(from)} and o.paid_at < ${instant(before)} and ${isSale} and ${ofMode(ctx)}
      and ${after} ${page}`),
  );
  for await (const rows of pages)
    for (const row of rows)
      yield {
        at: row.at,
        id: `sale ${row.number}`,
        text: `Order #${row.number} paid${row.exchanged > 0 ? " by exchange" : ""}`,
        order: row.number,
        event: {
          kind: "sale",
          gross: row.subtotal_cents,
          discount: row.discount_cents,
          shipping: row.shipping_cents,
          tax: row.tax_cents,
          taxPlace: taxPlaceName(row),
          toDonate: Number(row.to_donate),
          isOutside: row.is_outside,
          exchanged: row.exchanged,
        },
      };
}

/** Goods and total of an order `o` without its edits. */
const originalGoods = "(o.subtotal_cents - o.discount_cents - o.added_goods_cents)";
const originalTotal = "(o.total_cents - o.added_goods_cents - o.added_shipping_cents - o.added_tax_cents)";

type CorrectionRow = {
  at: string;
  id: string;
  kind: "refund" | "chargeback" | "cancelled" | "edit";
  /** Id of the refund, offset, order edit or dispute, which the entry's id contains. */
  reference: string;
  number: number;
} & Record<"country" | "state", string | null> &
  Record<"goods" | "shipping" | "tax" | "amount" | "exchanged", number> & {
    to_donate_change: string;
    is_outside: boolean;
  };

/**
 * Refunds, lost disputes, cancelled orders and order edits, each with the change of the amount that the order sets aside to donate:
 * the share of the remaining goods (domain/sales/giving.ts) after the event minus that before it.
 */
async function* corrections(ctx: ShopContext, { from, before }: TimeRange): AsyncGenerator<Entry> {
  const correctionRows = sql`
    select r.settled_at as at, coalesce(r.exchanged_by || ' exchange', r.id::text) as id, 'refund' as kind, r.id::text as reference, r.order_id,
      r.goods_cents as goods, r.shipping_cents as shipping, r.tax_cents as tax, r.amount_cents as amount,
      case when r.is_exchange then r.amount_cents else 0 end as exchanged, 0 as more_goods, 0 as more, r.intent_id
    from ${credits}
    union all
    select e.ended_at, e.id::text, 'edit', e.id::text, e.order_id, e.goods_cents, e.shipping_cents, e.tax_cents, 0, e.exchanged_cents,
      e.goods_cents, e.added_cents, null
    from ${orderEdits} e where e.status = 'applied'
    union all
    select d.closed_at, d.id, 'chargeback', d.id, d.order_id, 0, 0, 0, d.charged_back_cents, 0, 0, 0, d.intent_id
    from ${disputes} d where d.closed_at is not null and d.charged_back_cents > 0
      and exists (select from ${payments} p where p.intent_id = d.intent_id and p.status = 'succeeded')
    union all
    select o.cancelled_at, 'cancelled ' || o.id, 'cancelled', '', o.id, 0, 0, 0, 0, 0, 0, 0, null
    from ${orders} o where o.cancelled_at is not null and o.paid_at is not null`;
  const pages = paged(ctx, { at: sql`b.at`, id: sql`b.id` }, (tx, after, page) =>
    tx.execute<CorrectionRow>(sql`
    with page_events as (
      select b.* from (${correctionRows}) as b join ${orders} o on o.id = b.order_id
      where b.at >= ${instant(from)} and b.at < ${instant(before)} and ${isSale} and ${ofMode(ctx)} and ${after}
      order by b.at, b.id::text limit ${batchSize}
    ), running_totals as (
      select b.at, b.id, b.order_id, b.kind,
        sum(b.amount) over before_it as sum_after,
        sum(b.amount) over before_it - b.amount as sum_before,
        sum(b.more_goods) over before_it as more_goods_after, sum(b.more_goods) over before_it - b.more_goods as more_goods_before,
        sum(b.more) over before_it as more_after, sum(b.more) over before_it - b.more as more_before,
        bool_or(b.kind = 'cancelled') over before_it as is_cancelled,
        coalesce(bool_or(b.kind = 'cancelled') over (partition by b.order_id order by b.at, b.id
          rows between unbounded preceding and 1 preceding), false) as was_cancelled
      from (${correctionRows}) as b where b.order_id in (select order_id from page_events)
      window before_it as (partition by b.order_id order by b.at, b.id)
    )
    select ${exactTime("b.at")} as at, b.id, b.kind, b.reference, o.number, ${taxPlaceColumns},
      b.goods, b.shipping, b.tax, b.amount, b.exchanged,
      ${toDonateAfter({ goods: `${originalGoods} + w.more_goods_after`, total: `${originalTotal} + w.more_after`, credited: "w.sum_after", isCancelled: "w.is_cancelled" })}
        - ${toDonateAfter({ goods: `${originalGoods} + w.more_goods_before`, total: `${originalTotal} + w.more_before`, credited: "w.sum_before", isCancelled: "w.was_cancelled" })}
        as to_donate_change,
      ${isOutside("p.intent_id = b.intent_id or b.kind = 'edit' and p.order_edit_id::text = b.id")}
    from page_events b join running_totals w on w.id = b.id and w.kind = b.kind join ${orders} o on o.id = b.order_id ${page}`),
  );
  for await (const rows of pages)
    for (const row of rows) {
      const toDonateChange = Number(row.to_donate_change);
      const { at, kind, number, goods, shipping, tax, amount, exchanged } = row;
      const taxPlace = taxPlaceName(row);
      if (kind === "refund")
        yield {
          at,
          id: `refund ${row.reference}`,
          text: exchanged > 0 ? `Exchange of items of order #${number}` : `Refund of order #${number}`,
          order: number,
          event: {
            kind,
            goods,
            shipping,
            tax,
            taxPlace,
            toDonateChange,
            isOutside: row.is_outside,
            isExchange: exchanged > 0,
          },
        };
      else if (kind === "edit")
        yield {
          at,
          id: `change ${row.id}`,
          text: `Items added to order #${number}${exchanged > 0 ? " by exchange" : ""}`,
          order: number,
          event: {
            kind: "sale",
            gross: goods,
            discount: 0,
            shipping,
            tax,
            taxPlace,
            toDonate: toDonateChange,
            isOutside: row.is_outside,
            exchanged,
          },
        };
      else if (kind === "chargeback")
        yield {
          at,
          id: `chargeback ${row.id}`,
          text: `Lost dispute of order #${number}`,
          order: number,
          event: { kind, cents: amount, toDonateChange },
        };
      else
        yield {
          at,
          id: row.id,
          text: `Order #${number} cancelled`,
          order: number,
          event: { kind, toDonateChange },
        };
    }
}

/** SQL expression over `o`: cents that an order sets aside to donate after the part `credited` of its total was credited. */
function toDonateAfter({
  goods,
  total,
  credited,
  isCancelled,
}: Record<"goods" | "total" | "credited" | "isCancelled", string>) {
  return sql.raw(`(case when ${isCancelled} or (${total}) = 0 then 0 else
    ((${goods})::bigint * greatest(0, (${total})::bigint - (${credited})::bigint) / (${total})::bigint)
      * (o.giving_percent * 100)::bigint / 10000 end)`);
}

type BalanceRow = {
  at: string;
  id: string;
  amount: string;
  fee: string;
  number: number | null;
  description: string | null;
} & {
  kind: "charge" | "refund" | "dispute" | "fee" | "payout" | "other";
};

async function* balance(ctx: ShopContext, { from, before }: TimeRange): AsyncGenerator<Entry> {
  const pages = paged(ctx, { at: sql`b.created_at`, id: sql`b.id` }, (tx, after, page) =>
    tx.execute<BalanceRow>(sql`select ${exactTime("b.created_at")} as at, b.id, b.kind, b.amount_cents as amount, b.fee_cents as fee, b.description, o.number
    from ${balanceEntries} b left join ${payments} p on p.intent_id = b.intent_id left join ${orders} o on o.id = p.order_id
    where b.created_at >= ${instant(from)} and b.created_at < ${instant(before)} and ${countedBalance(ctx)}
      and ${after} ${page}`),
  );
  for await (const rows of pages)
    for (const { at, id, kind, amount, fee, number, description } of rows)
      yield {
        at,
        id,
        text: description ?? balanceTexts[kind],
        order: number,
        event: { kind: "balance", movement: kind, amount: Number(amount), fee: Number(fee) },
      };
}

const balanceTexts = {
  charge: "Payment in the balance",
  refund: "Refund out of the balance",
  dispute: "Dispute",
  fee: "Fee of the payment provider",
  payout: "Payout to the bank",
  other: "Movement of the balance",
};

/** Replacements: their goods are booked as a cost, as it was when they were sent; cancelling a replacement reverses the entry. */
async function* replacements(ctx: ShopContext, { from, before }: TimeRange): AsyncGenerator<Entry> {
  const replacementEntries = sql`
    select o.id::text as id, o.created_at as at, o.number, o.mode, o.replacement_cost_cents as cents from ${orders} o
    where o.replaces_id is not null and o.replacement_cost_cents > 0
    union all
    select o.id || ' cancelled', o.cancelled_at, o.number, o.mode, -o.replacement_cost_cents from ${orders} o
    where o.replaces_id is not null and o.replacement_cost_cents > 0 and o.cancelled_at is not null`;
  const pages = paged(ctx, { at: sql`o.at`, id: sql`o.id` }, (tx, after, page) =>
    tx.execute<{ at: string; id: string; number: number; cents: number }>(sql`
      select ${exactTime("o.at")} as at, o.id, o.number, o.cents from (${replacementEntries}) as o
      where o.at >= ${instant(from)} and o.at < ${instant(before)} and ${ofMode(ctx)} and ${after} ${page}`),
  );
  for await (const rows of pages)
    for (const { at, number, cents } of rows)
      yield {
        at,
        id: `replacement ${number}${cents < 0 ? " cancelled" : ""}`,
        text: `Replacement #${number} ${cents < 0 ? "cancelled" : "sent"}`,
        order: number,
        event: { kind: "replacement", cents },
      };
}

/** Amounts that carriers charged for labels, refunded for voided ones, and refused to refund later. */
async function* labelEntries(ctx: ShopContext, { from, before }: TimeRange): AsyncGenerator<Entry> {
  const pages = paged(ctx, { at: sql`c.at`, id: sql`c.id` }, (tx, after, page) =>
    tx.execute<{ at: string; id: string; kind: string; number: number; cents: number; carrier: string }>(sql`
      select ${exactTime("c.at")} as at, c.id, c.kind, o.number, c.cents, c.carrier
      from ${labelCosts} join ${orders} o on o.id = c.order_id
      where c.at >= ${instant(from)} and c.at < ${instant(before)} and ${inArray(sql`c.mode`, countedModes[ctx.provider.mode])}
        and ${after} ${page}`),
  );
  for await (const rows of pages)
    for (const { at, id, kind, number, cents, carrier } of rows)
      yield {
        at,
        id: `label ${id}`,
        text: `Label of order #${number} ${kind}, ${carrier}`,
        order: number,
        event: { kind: "label", cents },
      };
}

/** Donations. They have no time of day, so they are booked at the start of their day. */
async function* donationEntries({ db }: ShopContext, { dates, timeZone }: TimeRange): AsyncGenerator<Entry> {
  const rows = await db
    .select()
    .from(donations)
    .where(sql`${donations.sentOn} between ${dates.from} and ${dates.to}`)
    .orderBy(donations.sentOn, donations.id);
  for (const { id, sentOn, amountCents } of rows)
    yield {
      at: startOfDay(timeZone, sentOn).toISOString(),
      id: `donation ${id}`,
      text: "Donation sent",
      order: null,
      event: { kind: "donation", cents: amountCents },
    };
}
