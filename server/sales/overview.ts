import { sendingOf } from "../../domain/sales/donation.ts";
import {
  changePercent,
  type Grain,
  type Overview,
  type Period,
  periodBefore,
  type SalesFigures,
  slotsOf,
} from "../../domain/sales/overview.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { listIssues } from "../admin/issues.ts";
import type { ShopContext } from "../context.ts";
import { firstToShip } from "../orders/admin/list.ts";
import { listDonations, readSent } from "./donations.ts";
import { hasSold, latestOpenMessage, listLowStock, readSold, type Sums } from "./queries.ts";

const donationsShown = 3;

/** Orders that are shown of those to be shipped. */
const shownToShip = 5;

/** What the shop did in a period of the owner's days, and what waits for the owner now. */
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

async function readPeriod({ db, provider }: ShopContext, period: Period, by: Grain, timeZone: string) {
  const before = periodBefore(period);
  const slots = slotsOf(period, by);
  const starts = [before.from, ...slots.map(({ from }) => from), addDays(period.to, 1)];
  const bounds = starts.map((date) => startOfDay(timeZone, date));
  const { stretches, ever } = await readSold(db, bounds, { mode: provider.mode, timeZone });
  const [sumsBefore, ...slotSums] = stretches;
  const figures = figuresOf(addUp(slotSums));
  const figuresBefore = figuresOf(addUp(sumsBefore ? [sumsBefore] : []));
  return {
    giving: ever,
    figures,
    before: { ...before, figures: figuresBefore },
    changes: {
      sales: changePercent(figures.salesCents, figuresBefore.salesCents),
      orders: changePercent(figures.orders, figuresBefore.orders),
      average: changePercent(figures.averageCents, figuresBefore.averageCents),
      refunded: changePercent(figures.refundedCents, figuresBefore.refundedCents),
    },
    series: slots.map((slot, index) => ({
      ...slot,
      salesCents: slotSums[index]?.goods_cents ?? 0,
      orders: slotSums[index]?.orders ?? 0,
      refundedCents: slotSums[index]?.refunded_cents ?? 0,
      chargedBackCents: slotSums[index]?.charged_back_cents ?? 0,
    })),
  };
}

function addUp(all: readonly Sums[]): Sums {
  const total: Sums = {
    orders: 0,
    goods_cents: 0,
    shipping_cents: 0,
    tax_cents: 0,
    proceeds_cents: 0,
    given_cents: 0,
    checkouts: 0,
    refunds: 0,
    refunded_cents: 0,
    chargebacks: 0,
    charged_back_cents: 0,
    dispute_fee_cents: 0,
    views: 0,
  };
  for (const sums of all) {
    for (const name of Object.keys(total) as (keyof Sums)[]) total[name] += sums[name];
  }
  return total;
}

function figuresOf(sums: Sums): SalesFigures {
  return {
    salesCents: sums.goods_cents,
    orders: sums.orders,
    averageCents: sums.orders === 0 ? null : Math.round(sums.goods_cents / sums.orders),
    shippingCents: sums.shipping_cents,
    taxCents: sums.tax_cents,
    refunds: sums.refunds,
    refundedCents: sums.refunded_cents,
    chargebacks: sums.chargebacks,
    chargedBackCents: sums.charged_back_cents,
    disputeFeeCents: sums.dispute_fee_cents,
    donatedCents: sums.given_cents,
    conversion: { productViews: sums.views, checkouts: sums.checkouts, paid: sums.orders },
  };
}
