import { and, desc, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AdminCounts, AdminNews } from "../../domain/admin/admin.ts";
import type { Grain, Overview, Period } from "../../domain/overview/overview.ts";
import { sendingOf } from "../../domain/sales/donation.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { contactMessages } from "../contact/tables.ts";
import type { ShopContext } from "../context.ts";
import { issues } from "../issues/tables.ts";
import { firstToShip } from "../order-desk/admin/list.ts";
import { orderReturns } from "../order-desk/tables.ts";
import { excludingTestOrders } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import { readMailOutage } from "../outbox/outage.ts";
import { questions } from "../questions/tables.ts";
import { reviewPhotos, reviews } from "../reviews/tables.ts";
import { listDonations, readSent } from "../sales/donations.ts";
import { readPeriod } from "../sales/figures.ts";
import { hasSold, latestOpenMessage, listLowStock } from "../sales/queries.ts";
import { hasGivenUp } from "./failed-jobs.ts";
import { listIssues } from "./issues-api.ts";

const donationsShown = 3;

/** Orders that are shown of those to be shipped. */
const shownToShip = 5;

/** Sales of a period of the owner's days, and a few rows of everything that waits for the owner now. */
export async function readOverview(ctx: ShopContext, period: Period, by: Grain): Promise<Overview> {
  const { db } = ctx;
  const { mode } = ctx.provider;
  const [{ timeZone, lowStockAt }, { givingPercent }] = await Promise.all([
    ctx.ownerSettings(),
    ctx.settings(),
  ]);
  const [
    { giving, ...sold },
    { sentCents },
    { data: latestDonations },
    lowStock,
    everSold,
    ratings,
    attention,
    waitingToShip,
    latestMessage,
  ] = await Promise.all([
    readPeriod(ctx, period, by, timeZone),
    readSent(db),
    listDonations(db, { limit: donationsShown }),
    listLowStock(db, lowStockAt),
    hasSold(db, mode),
    ctx.products.ratingSummary(),
    listIssues(ctx),
    firstToShip(db, { limit: shownToShip, mode }),
    latestOpenMessage(db),
  ]);
  return {
    ...period,
    timeZone,
    today: dateIn(timeZone, ctx.now()),
    by,
    ...sold,
    donated: {
      totalCents: giving.setAsideCents,
      proceedsCents: giving.proceedsCents,
      periodCents: sold.figures.donatedCents,
      percent: givingPercent,
      since: giving.since,
      ...sendingOf(giving.setAsideCents, sentCents),
      latest: latestDonations,
    },
    lowStock,
    attention,
    waitingToShip,
    latestMessage,
    rating: { average: ratings.average, count: ratings.count },
    hasSold: everSold,
  };
}

/** Every page of the panel requests the counts: each stops at this many rows, read from a partial index. */
const countedMax = 100;

export async function readAdminCounts({ config, db, now, provider }: ShopContext): Promise<AdminCounts> {
  const { rows } = await db.execute<Omit<AdminCounts, "mailIsSet" | "mailOutage">>(sql`select
    ${upTo(sql`from ${orders} where ${orders.status} in ('completed','partially_refunded')
      and ${orders.shippedAt} is null and ${orders.cancelledAt} is null and ${orders.allBackAt} is null
      and ${and(sql`${orders.shipHold} is null`, excludingTestOrders(provider.mode))}`)} as "ordersToShip",
    ${upTo(sql`from ${orderReturns} join ${orders} on ${orders.id} = ${orderReturns.orderId}
      where ${and(sql`${orderReturns.status} = 'requested'`, excludingTestOrders(provider.mode))}`)} as "openReturns",
    ${upTo(sql`from ${contactMessages} where ${contactMessages.readAt} is null
      and ${contactMessages.suspicion} is distinct from 'honeypot' and ${contactMessages.status} = 'open'`)} as "unreadMessages",
    ${upTo(sql`from ${reviews} where ${reviews.status} = 'pending'`)} as "heldReviews",
    ${upTo(sql`from ${reviewPhotos} where ${reviewPhotos.reviewId} is not null and ${reviewPhotos.status} = 'held'`)} as "heldPhotos",
    ${upTo(sql`from ${questions} where ${questions.status} = 'open' and not ${questions.isSuspicious}`)} as "openQuestions",
    ${upTo(sql`from ${issues} where ${issues.resolvedAt} is null`)} as "attention",
    ${upTo(sql`from graphile_worker._private_jobs as jobs where ${hasGivenUp}`)} as "failedJobs"`);
  const [counts] = rows;
  if (!counts) throw new Error("a count returned no row");
  return { ...counts, mailIsSet: config.mail.smtpUrl !== null, mailOutage: await readMailOutage(db, now()) };
}

const paidShown = 20;

/** The same with the orders paid last, by which an open panel detects new ones. */
export async function readNews(ctx: ShopContext): Promise<AdminNews> {
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

function upTo(rows: SQL): SQL {
  return sql`(select count(*)::int from (select 1 ${rows} limit ${countedMax}) as counted)`;
}
