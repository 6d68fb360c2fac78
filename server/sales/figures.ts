import {
  changePercent,
  type Grain,
  type Period,
  periodBefore,
  periodSlots,
  type SalesFigures,
} from "../../domain/overview/overview.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { readSold, type Sums } from "./queries.ts";
import { counted } from "./sales-events.ts";

export async function readFigures(ctx: ShopContext, period: Period, timeZone: string): Promise<SalesFigures> {
  return (await readPeriod(ctx, period, "month", timeZone)).figures;
}

export async function readPeriod({ db, provider }: ShopContext, period: Period, by: Grain, timeZone: string) {
  const before = periodBefore(period);
  const slots = periodSlots(period, by);
  const starts = [before.from, ...slots.map(({ from }) => from), addDays(period.to, 1)];
  const bounds = starts.map((date) => startOfDay(timeZone, date));
  const { periods, ever, soldSince } = await readSold(db, bounds, { mode: provider.mode, timeZone });
  const [sumsBefore, ...slotSums] = periods;
  const figures = salesFigures(addUp(slotSums));
  const figuresBefore = salesFigures(addUp(sumsBefore ? [sumsBefore] : []));
  return {
    giving: ever,
    figures,
    before: {
      ...before,
      figures: figuresBefore,
      // The day of the first sale counts as a whole day.
      soldFrom: soldSince === null ? null : dateIn(timeZone, soldSince),
    },
    changes: {
      sales: changePercent(figures.salesCents, figuresBefore.salesCents),
      orders: changePercent(figures.orders, figuresBefore.orders),
      average: changePercent(figures.averageCents, figuresBefore.averageCents),
      refunded: changePercent(figures.refundedCents, figuresBefore.refundedCents),
      net: changePercent(figures.netCents, figuresBefore.netCents),
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

function addUp(sumsList: readonly Sums[]): Sums {
  const total = Object.fromEntries(counted.map((name) => [name, 0])) as Sums;
  for (const sums of sumsList) {
    for (const name of counted) total[name] += sums[name];
  }
  return total;
}

function salesFigures(sums: Sums): SalesFigures {
  const receivedCents = sums.goods_cents + sums.shipping_cents + sums.tax_cents;
  return {
    grossCents: sums.goods_cents + sums.discount_cents,
    discountCents: sums.discount_cents,
    salesCents: sums.goods_cents,
    orders: sums.orders,
    averageCents: sums.orders === 0 ? null : Math.round(sums.goods_cents / sums.orders),
    shippingCents: sums.shipping_cents,
    taxCents: sums.tax_cents,
    receivedCents,
    refunds: sums.refunds,
    refundedCents: sums.refunded_cents,
    refundedGoodsCents: sums.refunded_cents - sums.refunded_shipping_cents - sums.refunded_tax_cents,
    refundedShippingCents: sums.refunded_shipping_cents,
    refundedTaxCents: sums.refunded_tax_cents,
    chargebacks: sums.chargebacks,
    chargedBackCents: sums.charged_back_cents,
    disputeFeeCents: sums.dispute_fee_cents,
    netCents: receivedCents - sums.refunded_cents - sums.charged_back_cents,
    donatedCents: sums.given_cents,
    conversion: {
      // Buyers count as visitors, even if their browsers did not report a view.
      productViews: Math.max(sums.views, sums.checkouts),
      checkouts: sums.checkouts,
      paid: sums.placed_paid,
    },
  };
}
