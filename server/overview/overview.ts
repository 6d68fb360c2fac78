import type { Grain, Overview, Period } from "../../domain/overview/overview.ts";
import { sendingOf } from "../../domain/sales/donation.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { firstToShip } from "../order-desk/admin/list.ts";
import { listDonations, readSent } from "../sales/donations.ts";
import { readPeriod } from "../sales/figures.ts";
import { hasSold, latestOpenMessage, listLowStock } from "../sales/queries.ts";
import { listIssues } from "./issues.ts";

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
