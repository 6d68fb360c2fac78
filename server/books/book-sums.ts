import { inArray, type SQL, sql } from "drizzle-orm";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { labelCosts } from "../labels/costs.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { taxPlaceColumns } from "../orders/tax-place.ts";
import { refunds } from "../payments/tables.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { dayStarts, replaceSums } from "../sales/kept-sums.ts";
import { credits, isSale } from "../sales/sales-events.ts";
import { instant } from "./paged.ts";
import type { TimeRange } from "./period.ts";
import { type BookSumKind, balanceEntries, bookDays, bookRollup, invoices } from "./tables.ts";

/** Increment when the meaning of the sums changes: days of an older version are rebuilt instead of read. */
const sumsVersion = 2;
/** Events younger than this may be incomplete, because of open transactions or servers whose clocks are slow. */
const lateWriteMs = 10 * 60 * 1000;
/** Period that every run computes again. */
const lookBackMs = 48 * 60 * 60 * 1000;
/** Interval after which a run computes all days again. */
const fullRebuildMs = 24 * 60 * 60 * 1000;

const key = ["starts_at", "mode", "kind", "country", "state"];
const sums = ["entries", "amount_cents", "tax_cents", "fee_cents"];
const summedColumns = sql.raw(sums.map((column) => `sum(${column})::bigint as ${column}`).join(", "));

/**
 * A row for each order paid, order edit applied, credit to a buyer, document issued, movement of the balance and cost of a label
 * at or after `from` and before `to`. Sums stored in `book_days` and sums computed live both come from here.
 */
function bookEvents(from: SQL, to: SQL): SQL {
  const within = (column: string) => sql`${sql.raw(column)} >= ${from} and ${sql.raw(column)} < ${to}`;
  const ofOrder = (at: string, kind: BookSumKind, { amount, tax }: Record<"amount" | "tax", string>) => sql`
    select ${sql.raw(at)} as at, coalesce(o.mode, '') as mode, ${sql.raw(`'${kind}'`)} as kind, ${taxPlaceColumns}, 1 as entries,
      (${sql.raw(amount)})::bigint as amount_cents, (${sql.raw(tax)})::bigint as tax_cents, 0::bigint as fee_cents`;
  return sql`
    ${ofOrder("o.paid_at", "sold", {
      amount:
        "o.subtotal_cents - o.discount_cents + o.shipping_cents - o.added_goods_cents - o.added_shipping_cents",
      tax: "o.tax_cents - o.added_tax_cents",
    })}
    from ${orders} o where ${within("o.paid_at")} and ${isSale}
    union all
    ${ofOrder("e.ended_at", "sold", { amount: "e.goods_cents + e.shipping_cents", tax: "e.tax_cents" })}
    from ${orderEdits} e join ${orders} o on o.id = e.order_id
    where ${within("e.ended_at")} and e.status = 'applied' and ${isSale}
    union all
    ${ofOrder("r.settled_at", "sold_back", { amount: "r.goods_cents + r.shipping_cents", tax: "r.tax_cents" })}
    from ${credits} join ${orders} o on o.id = r.order_id where ${within("r.settled_at")} and ${isSale}
    union all
    select i.issued_at, i.mode, 'document', null, null, 1, 0, 0, 0 from ${invoices} i where ${within("i.issued_at")}
    union all
    select b.created_at, b.mode, b.kind, null, null, 1, b.amount_cents, 0, b.fee_cents
    from ${balanceEntries} b where ${within("b.created_at")}
    union all
    select c.at, c.mode, 'label', null, null, 1, c.cents, 0, 0 from ${labelCosts} where ${within("c.at")}`;
}

/** A sum of one kind. `country` is null if it is unknown or does not apply to the kind. */
export type BookSum = {
  kind: BookSumKind;
  country: string | null;
  state: string | null;
  entries: number;
  amountCents: number;
  taxCents: number;
  feeCents: number;
};

/**
 * The sums of a period of whole days in the current mode, up to this moment: one statement reads complete days from `book_days` and
 * computes the others from the orders. Sorted by place, unknown places last.
 */
export async function readBookSums(
  { db, provider }: ShopContext,
  { from, before, timeZone }: TimeRange,
): Promise<BookSum[]> {
  const modes = ["", ...countedModes[provider.mode]];
  const until = sql`(select at from kept_until)`;
  const start = instant(from);
  const end = instant(before);
  const { rows } = await db.execute<
    Pick<BookSum, "kind" | "country" | "state"> &
      Record<"entries" | "amount_cents" | "tax_cents" | "fee_cents", string>
  >(sql`
    with kept_until as materialized (
      select coalesce((select starts_at from ${bookDays} where starts_at <= (
        select through from ${bookRollup} where version = ${sumsVersion} and time_zone = ${timeZone})
        order by starts_at desc limit 1), '-infinity') as at
    )
    select kind, nullif(country, '') as country, nullif(state, '') as state, ${summedColumns}
    from (
      select mode, kind, country, state, entries, amount_cents, tax_cents, fee_cents from ${bookDays}
      where starts_at >= ${start} and starts_at < least(${end}, ${until})
      union all
      select mode, kind, country, state, entries, amount_cents, tax_cents, fee_cents
      from (${bookEvents(sql`greatest(${start}, ${until})`, end)}) as events
    ) as entries
    where ${inArray(sql`mode`, modes)}
    group by 1, 2, 3 order by 2 nulls last, 3 nulls first`);
  return rows.map(({ kind, country, state, ...row }) => ({
    kind,
    country,
    state,
    entries: Number(row.entries),
    amountCents: Number(row.amount_cents),
    taxCents: Number(row.tax_cents),
    feeCents: Number(row.fee_cents),
  }));
}

/** A period's sales and tax of a place, and its credits to buyers with their tax. */
export type PlaceTax = Record<"country" | "state", string | null> &
  Record<"soldCents" | "taxCents" | "soldBackCents" | "taxBackCents", number>;

export function taxByPlace(sums: readonly BookSum[]): PlaceTax[] {
  const places: PlaceTax[] = [];
  for (const { kind, country, state, amountCents, taxCents } of sums) {
    if (kind !== "sold" && kind !== "sold_back") continue;
    let place = places.at(-1);
    if (place?.country !== country || place.state !== state) {
      place = { country, state, soldCents: 0, taxCents: 0, soldBackCents: 0, taxBackCents: 0 };
      places.push(place);
    }
    if (kind === "sold") {
      place.soldCents += amountCents;
      place.taxCents += taxCents;
    } else {
      place.soldBackCents += amountCents;
      place.taxBackCents += taxCents;
    }
  }
  return places;
}

/**
 * Computes `book_days` from the orders: the last two days and every day from `through` on; a late entry moves `through` back
 * to its own day. The first run, one run a day and the first run after a change of the time zone compute all days. Readers see
 * the previous sums until the transaction ends. Safe to run concurrently.
 */
export async function refreshBookDays(
  db: Database,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<void> {
  const through = new Date(now.getTime() - lateWriteMs);
  await db.transaction(async (tx) => {
    const epoch = new Date(0);
    await tx
      .insert(bookRollup)
      .values({ through: epoch, rebuiltAt: epoch, timeZone, version: 0 })
      .onConflictDoNothing();
    // Transactions that write late entries wait for this row.
    const [last] = await tx.select().from(bookRollup).for("update");
    const isFullRebuild =
      last?.version !== sumsVersion ||
      last.timeZone !== timeZone ||
      // The absolute value also covers a last rebuild dated in the future, when the clock was ahead.
      Math.abs(now.getTime() - last.rebuiltAt.getTime()) >= fullRebuildMs;
    const first = isFullRebuild
      ? await firstEventTime(tx)
      : new Date(Math.min(last.through.getTime(), through.getTime() - lookBackMs));
    await replaceDays(tx, { timeZone, isFullRebuild, first: first ?? through, through });
    await tx
      .update(bookRollup)
      .set({ through, rebuiltAt: isFullRebuild ? now : last.rebuiltAt, timeZone, version: sumsVersion });
  });
}

/** Computes the day of `first` and all later days. `isFullRebuild`: also removes all other days. */
async function replaceDays(
  tx: Db,
  {
    timeZone,
    isFullRebuild,
    first,
    through,
  }: { timeZone: string; isFullRebuild: boolean; first: Date; through: Date },
): Promise<void> {
  const date = dateIn(timeZone, first);
  const startInstant = instant(startOfDay(timeZone, date));
  const { starts } = dayStarts(timeZone, date, addDays(dateIn(timeZone, through), 1));
  await replaceSums(tx, bookDays, {
    key,
    sums,
    within: isFullRebuild ? sql`true` : sql`starts_at >= ${startInstant}`,
    fresh: sql`
      select (${starts})[width_bucket(at, ${starts})] as starts_at, mode, kind, coalesce(country, '') as country,
        coalesce(state, '') as state, ${summedColumns}
      from (${bookEvents(startInstant, instant(through))}) as events group by 1, 2, 3, 4, 5`,
  });
}

/** Time of the oldest event; null if there is none. */
async function firstEventTime(tx: Db): Promise<Date | null> {
  const { rows } = await tx.execute<{ at: string | null }>(sql`
    select to_json(least((select min(paid_at) from ${orders}), (select min(settled_at) from ${refunds}),
      (select min(issued_at) from ${invoices}), (select min(created_at) from ${balanceEntries}))) #>> '{}' as at`);
  return rows[0]?.at ? new Date(rows[0].at) : null;
}
