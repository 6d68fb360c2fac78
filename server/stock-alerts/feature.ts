import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import * as v from "valibot";
import { pick } from "../../domain/shared/pick.ts";
import {
  confirmedStockAlertSchema,
  stockAlertNextStepSchema,
  stockAlertRequestSchema,
} from "../../domain/stock-alerts/stock-alert.ts";
import { accepted, dataEnvelope, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { stock } from "../inventory/tables.ts";
import { findOptedOutHashes, hashEmail } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { askForAlert, confirmAlert, purgeStockAlerts } from "./commands.ts";
import { enqueueStockAlerts, stockAlertsMail } from "./mail.ts";
import { stockAlerts } from "./tables.ts";

const isFor = (email: string) => eq(stockAlerts.emailHash, hashEmail(email));

/** The address as typed for its latest request; null if there is none. */
async function alertedAddress(db: Db, email: string): Promise<string | null> {
  const [latestAlert] = await db
    .select({ email: stockAlerts.email })
    .from(stockAlerts)
    .where(isFor(email))
    .orderBy(desc(stockAlerts.askedAt))
    .limit(1);
  return latestAlert?.email ?? null;
}

async function exportStockAlerts(db: Db, { email }: Person, limit: number) {
  return db
    .select({
      ...pick(stockAlerts, "email", "askedAt", "confirmedAt", "notifiedAt"),
      product: products.name,
    })
    .from(stockAlerts)
    .innerJoin(products, eq(products.id, stockAlerts.productId))
    .where(isFor(email))
    .orderBy(asc(stockAlerts.askedAt), asc(stockAlerts.id))
    .limit(limit);
}

/** Deletes an address's requests made up to a time. */
async function eraseStockAlerts(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(stockAlerts).where(and(isFor(email), lte(stockAlerts.askedAt, until)));
}

const shared = { tag: "Catalogue", access: "anyone" } as const;

const stockAlertsApi = [
  route("POST /api/stock-alerts", {
    ...shared,
    summary:
      "Request one e-mail when a sold-out product is back in stock; an address new to this browser must confirm first",
    limit: "signUp",
    body: stockAlertRequestSchema,
    response: dataEnvelope(stockAlertNextStepSchema),
    responses: {
      202: "`next`: `confirm` by the e-mailed link, or `waiting`; the same even if the address already waits",
      404: "There is no such published product",
      409: "`invalid_state`: the product is in stock",
    },
    handle: async (ctx, { body, viewer }) => {
      const result = await askForAlert(ctx, { ...body, visitorId: viewer.visitorId });
      if (result.ok) return accepted({ next: result.next });
      return result.reason === "unknown"
        ? notFoundProblem("product")
        : problem("invalid_state", `${result.name} is in stock: you can order it now.`);
    },
  }),
  route("POST /api/stock-alerts/confirm", {
    ...shared,
    summary: "Confirm a stock alert by the token of its e-mailed link",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
    response: dataEnvelope(confirmedStockAlertSchema),
    responses: {
      200: "`product`, and whether it is in stock; confirming again changes nothing",
      404: "The link is not of this shop, or has expired",
    },
    handle: async (ctx, { body }) => {
      const confirmation = await confirmAlert(ctx, body.token);
      return confirmation
        ? ok(confirmation)
        : problem("not_found", "This link no longer works. You can ask again on the product’s page.");
    },
  }),
];

const batchSize = 200;
/** Batches per run; a run starts every minute. */
const maxBatches = 25;

/** Polls the stock, so that it does not matter why units are in stock again. */
function notifyBackInStockTask(ctx: ShopContext): RecurringTask {
  const job = { name: "notify_back_in_stock", lane: "mail", priority: 15, everySeconds: 60 } as const;
  return recurring(job, () => notifyBackInStock(ctx));
}

/** Enqueues e-mails to addresses that wait for products now in stock, the longest waiting first. Safe to repeat. */
export async function notifyBackInStock(ctx: ShopContext): Promise<void> {
  for (let count = 0; count < maxBatches; count += 1) {
    if ((await notifyBatch(ctx)) < batchSize) return;
  }
}

/** Returns the size of the batch. Alerts are marked in the transaction that enqueues their e-mails. */
async function notifyBatch({ db, now: clock }: ShopContext): Promise<number> {
  const now = clock();
  return db.transaction(async (tx) => {
    const alerts = await tx
      .select({ id: stockAlerts.id, email: stockAlerts.email, emailHash: stockAlerts.emailHash })
      .from(stockAlerts)
      .innerJoin(products, eq(products.id, stockAlerts.productId))
      .innerJoin(stock, eq(stock.productId, stockAlerts.productId))
      .where(
        and(
          isNull(stockAlerts.notifiedAt),
          isNotNull(stockAlerts.confirmedAt),
          eq(products.published, true),
          gt(stock.onHand, sql`${stock.reserved}`),
        ),
      )
      .orderBy(asc(stockAlerts.confirmedAt))
      .limit(batchSize)
      .for("update", { of: stockAlerts, skipLocked: true });
    if (alerts.length === 0) return 0;
    const hashes = alerts.map(({ emailHash }) => emailHash);
    const optOuts = await findOptedOutHashes(tx, hashes, "stock_alert");
    const isOptedOut = ({ emailHash }: { emailHash: Buffer }) => optOuts.has(emailHash.toString("hex"));
    const alertIds = (rows: typeof alerts) => rows.map(({ id }) => id);
    await tx.delete(stockAlerts).where(inArray(stockAlerts.id, alertIds(alerts.filter(isOptedOut))));
    const recipients = alerts.filter((alert) => !isOptedOut(alert));
    await tx
      .update(stockAlerts)
      .set({ notifiedAt: now })
      .where(inArray(stockAlerts.id, alertIds(recipients)));
    await enqueueStockAlerts(tx, recipients, now);
    return alerts.length;
  });
}

/** E-mails to shoppers when a sold-out product is back in stock. */
export const stockAlertsFeature = {
  api: stockAlertsApi,
  cron: (ctx) => [notifyBackInStockTask(ctx)],
  mail: stockAlertsMail,
  purges: [purgeStockAlerts],
  personalData: {
    knownAddress: alertedAddress,
    lists: { stockAlerts: exportStockAlerts },
    erase: eraseStockAlerts,
  },
} satisfies Feature;
