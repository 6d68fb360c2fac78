import { and, desc, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AdminCounts, AdminState } from "../../domain/admin/admin.ts";
import type { Grain, Overview, Period } from "../../domain/overview/overview.ts";
import type { ToDo, Waiting } from "../../domain/overview/to-do.ts";
import { donationTotals } from "../../domain/sales/donation.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { dispatchBy } from "../../domain/shipping/arrival.ts";
import { expeditedOptionIds } from "../../domain/shipping/shipping-policy.ts";
import { contactMessages } from "../contact/tables.ts";
import type { ShopContext } from "../context.ts";
import { disputeEvidence, disputes } from "../disputes/tables.ts";
import { issues } from "../issues/tables.ts";
import { readFirstToShip } from "../order-desk/admin/list.ts";
import { queue } from "../order-desk/admin/queues.ts";
import { orderReturns } from "../order-desk/tables.ts";
import { excludingTestOrders } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import { readMailOutage } from "../outbox/outage.ts";
import { hasGivenUp } from "../platform/jobs/jobs.ts";
import { questions } from "../questions/tables.ts";
import { reviewPhotos, reviews } from "../reviews/tables.ts";
import { listDonations, readSent } from "../sales/donations.ts";
import { readPeriod } from "../sales/figures.ts";
import { hasSold, latestOpenMessage, listLowStock } from "../sales/queries.ts";
import { readTopSources } from "../sales/sources.ts";
import { listIssues } from "./issues-api.ts";

const donationsShown = 3;
const sourcesShown = 3;

/** Number of orders to ship that are shown. */
const maxShownToShip = 5;

/** Sales of a period (dates in the shop's time zone), and the first entries of the owner's open work. */
export async function readOverview(ctx: ShopContext, period: Period, by: Grain): Promise<Overview> {
  const { db } = ctx;
  const { mode } = ctx.provider;
  const [{ timeZone, lowStockAt }, { givingPercent }] = await Promise.all([
    ctx.ownerSettings(),
    ctx.settings(),
  ]);
  const [
    { giving, ...salesFigures },
    { sentCents },
    { data: latestDonations },
    lowStock,
    hasAnySales,
    ratings,
    attention,
    waitingToShip,
    latestMessage,
    topSources,
  ] = await Promise.all([
    readPeriod(ctx, period, by, timeZone),
    readSent(db),
    listDonations(db, { limit: donationsShown }),
    listLowStock(db, lowStockAt),
    hasSold(db, mode),
    ctx.products.ratingSummary(),
    listIssues(ctx),
    readFirstToShip(ctx, { limit: maxShownToShip, mode }),
    latestOpenMessage(db),
    readTopSources(db, {
      from: startOfDay(timeZone, period.from),
      before: startOfDay(timeZone, addDays(period.to, 1)),
      mode,
      limit: sourcesShown,
    }),
  ]);
  return {
    ...period,
    timeZone,
    today: dateIn(timeZone, ctx.now()),
    by,
    ...salesFigures,
    donated: {
      totalCents: giving.setAsideCents,
      proceedsCents: giving.proceedsCents,
      periodCents: salesFigures.figures.donatedCents,
      percent: givingPercent,
      since: giving.since,
      ...donationTotals(giving.setAsideCents, sentCents),
      latest: latestDonations,
    },
    lowStock,
    attention,
    waitingToShip,
    latestMessage,
    topSources,
    rating: { average: ratings.average, count: ratings.count },
    hasSold: hasAnySales,
  };
}

/** Counts stop at this number: every page of the panel requests some, and partial indexes answer up to this many fast. */
const maxCounted = 100;

export async function readAdminCounts({ config, db, now, provider }: ShopContext): Promise<AdminCounts> {
  const { rows } = await db.execute<Omit<AdminCounts, "mailIsSet" | "mailOutage">>(sql`select
    ${countUpToLimit(sql`from ${orders} where ${orders.status} in ('completed','partially_refunded')
      and ${orders.shippedAt} is null and ${orders.cancelledAt} is null and ${orders.allBackAt} is null
      and ${and(sql`${orders.shipHold} is null`, excludingTestOrders(provider.mode))}`)} as "ordersToShip",
    ${countUpToLimit(sql`from ${orderReturns} join ${orders} on ${orders.id} = ${orderReturns.orderId}
      where ${and(sql`${orderReturns.status} = 'requested'`, excludingTestOrders(provider.mode))}`)} as "openReturns",
    ${countUpToLimit(sql`from ${contactMessages} where ${contactMessages.readAt} is null
      and ${contactMessages.suspicion} is distinct from 'honeypot' and ${contactMessages.status} = 'open'`)} as "unreadMessages",
    ${countUpToLimit(sql`from ${reviews} where ${reviews.status} = 'pending'`)} as "heldReviews",
    ${countUpToLimit(sql`from ${reviewPhotos} where ${reviewPhotos.reviewId} is not null and ${reviewPhotos.status} = 'held'`)} as "heldPhotos",
    ${countUpToLimit(sql`from ${questions} where ${questions.status} = 'open' and not ${questions.isSuspicious}`)} as "openQuestions",
    ${countUpToLimit(sql`from ${issues} where ${issues.resolvedAt} is null`)} as "attention",
    ${countUpToLimit(sql`from jobs where ${hasGivenUp}`)} as "failedJobs"`);
  const [counts] = rows;
  if (!counts) throw new Error("a count returned no row");
  return { ...counts, mailIsSet: config.mail.smtpUrl !== null, mailOutage: await readMailOutage(db, now()) };
}

const paidShown = 20;

/** The counts with the orders paid last, by which an open panel detects new ones. */
export async function readAdminState(ctx: ShopContext): Promise<AdminState> {
  const { db, provider } = ctx;
  const [counts, paid] = await Promise.all([
    readAdminCounts(ctx),
    db
      .select({ orderId: orders.id, number: orders.number })
      .from(orders)
      .where(and(isNotNull(orders.paidAt), excludingTestOrders(provider.mode)))
      .orderBy(desc(orders.paidAt), desc(orders.id))
      .limit(paidShown),
  ]);
  return { ...counts, paid };
}

function countUpToLimit(rows: SQL): SQL {
  return sql`(select count(*)::int from (select 1 ${rows} limit ${maxCounted}) as counted)`;
}

type CountedWork = Record<Exclude<keyof ToDo, "lowStock" | "ship" | "disputed" | "mailOutage">, Waiting> & {
  ship: { at: string; option: string }[] | null;
  holdKinds: ToDo["held"]["kinds"] | null;
  disputed: ToDo["disputed"];
};

/** Work that waits for the shop's people, with the age of its oldest entry. */
export async function readToDo(ctx: ShopContext): Promise<ToDo> {
  const { db, provider } = ctx;
  const [{ timeZone, lowStockAt }, { calendar, shipping }] = await Promise.all([
    ctx.ownerSettings(),
    ctx.settings(),
  ]);
  const isReal = excludingTestOrders(provider.mode);
  const [lowStock, mailOutage, { rows }] = await Promise.all([
    listLowStock(db, lowStockAt),
    readMailOutage(db, ctx.now()),
    db.execute<CountedWork>(sql`select
      (select json_agg(counted) from (select coalesce(${orders.paidAt}, ${orders.createdAt}) as at,
          ${orders.shippingOptionId} as option from ${orders}
        where ${and(queue.to_ship, isReal)} order by ${orders.createdAt} limit ${maxCounted}) as counted) as ship,
      ${countWithOldest(sql`select coalesce(${orders.paidAt}, ${orders.createdAt}) as at from ${orders}
        where ${and(queue.on_hold, isReal)} order by ${orders.createdAt}`)} as held,
      (select json_agg(distinct ${orders.shipHold}) from ${orders} where ${and(queue.on_hold, isReal)}) as "holdKinds",
      ${countWithOldest(sql`select coalesce(${orders.paidAt}, ${orders.createdAt}) as at from ${orders}
        where ${and(queue.waiting, isReal)} order by ${orders.createdAt}`)} as "unpaidChanges",
      ${countWithOldest(sql`select ${orderReturns.requestedAt} as at from ${orderReturns}
        join ${orders} on ${orders.id} = ${orderReturns.orderId}
        where ${and(sql`${orderReturns.status} = 'requested'`, isReal)} order by ${orderReturns.requestedAt}`)} as returns,
      ${countWithOldest(sql`select ${contactMessages.createdAt} as at from ${contactMessages}
        where ${contactMessages.status} = 'open' and ${contactMessages.suspicion} is distinct from 'honeypot'
        order by ${contactMessages.number}`)} as messages,
      (select json_build_object('count', count(*)::int, 'oldestAt', ${isoTime(sql`min(at)`)}, 'dueAt', ${isoTime(sql`min(due)`)},
          'only', case count(*) when 1 then min(id) end)
        from (select d.id, d.created_at as at, d.evidence_due_at as due from ${disputes} as d
          where d.closed_at is null and d.status = 'needs_response'
            and coalesce(d.evidence_due_at > ${ctx.now().toISOString()}, true)
            and not exists (select from ${disputeEvidence} as e where e.dispute_id = d.id and e.status <> 'draft')
          order by d.created_at limit ${maxCounted}) as counted) as disputed,
      ${countWithOldest(sql`select ${issues.createdAt} as at from ${issues} where ${issues.resolvedAt} is null
        and not (${issues.kind} = 'dispute' and exists (select from ${disputes} as d where d.id = ${issues.subject}))`)} as issues,
      ${countWithOldest(sql`select ${reviews.createdAt} as at from ${reviews} where ${reviews.status} = 'pending'
        order by ${reviews.id}`)} as reviews,
      ${countWithOldest(sql`select ${reviewPhotos.createdAt} as at from ${reviewPhotos}
        where ${reviewPhotos.reviewId} is not null and ${reviewPhotos.status} = 'held'`)} as photos,
      ${countWithOldest(sql`select ${questions.createdAt} as at from ${questions}
        where ${questions.status} = 'open' and not ${questions.isSuspicious} order by ${questions.id}`)} as questions,
      ${countWithOldest(sql`select jobs.created_at as at from jobs
        where ${hasGivenUp}`)} as "failedJobs"`),
  ]);
  const [work] = rows;
  if (!work) throw new Error("a count returned no row");
  const { ship, held, holdKinds, ...waiting } = work;
  const today = dateIn(timeZone, ctx.now());
  const ordersToShip = (ship ?? []).map(({ at, option }) => ({ at: new Date(at), option }));
  const oldestAt = ordersToShip.reduce<Date | null>(
    (least, { at }) => (least && least < at ? least : at),
    null,
  );
  const dispatchDays = ordersToShip.map(({ at }) => dispatchBy(calendar, timeZone, at));
  const expedited = expeditedOptionIds(shipping);
  return {
    ship: {
      count: ordersToShip.length,
      oldestAt: oldestAt?.toISOString() ?? null,
      overdue: dispatchDays.filter((day) => day < today).length,
      dueToday: dispatchDays.filter((day) => day === today).length,
      expedited: ordersToShip.filter(({ option }) => expedited.includes(option)).length,
    },
    held: { ...held, kinds: holdKinds ?? [] },
    ...waiting,
    lowStock,
    mailOutage,
  };
}

/** `rows`: a query of the times `at`, in the order of an index. */
function countWithOldest(rows: SQL): SQL {
  return sql`(select json_build_object('count', count(*)::int, 'oldestAt', ${isoTime(sql`min(at)`)})
    from (${rows} limit ${maxCounted}) as counted)`;
}

/** ISO 8601 in milliseconds, like JavaScript's `toISOString`. */
function isoTime(time: SQL): SQL {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
