import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { ViteDevServer } from "vite";
import { ensureAccessCode } from "./admin/access.ts";
import { createActivityLog, forgetActivity } from "./admin/activity.ts";
import { adminApi } from "./admin/api.ts";
import { listAttention } from "./admin/attention.ts";
import { createSessionGate, forgetSessions } from "./admin/sessions.ts";
import { forgetTries } from "./admin/tries.ts";
import { cartApi } from "./cart/api.ts";
import { catalogApi } from "./catalog/api.ts";
import { forgetViews } from "./catalog/commands.ts";
import { pictureSizes } from "./catalog/image-variants.ts";
import { catalogTasks, tidyPictures } from "./catalog/jobs.ts";
import { openPictureStore } from "./catalog/pictures.ts";
import { seedFirstProduct } from "./catalog/seed.ts";
import { checkoutApi } from "./checkout/api.ts";
import { checkoutTasks } from "./checkout/jobs.ts";
import { forgetReminders } from "./checkout/reminders.ts";
import { remindersApi } from "./checkout/reminders-api.ts";
import { contactApi } from "./contact/api.ts";
import { forgetContactMessages } from "./contact/commands.ts";
import { discountsApi } from "./discounts/api.ts";
import { createCodeTries } from "./discounts/code-tries.ts";
import { doctorApi } from "./doctor/api.ts";
import { doctorParts } from "./doctor/open.ts";
import { everybodysPages } from "./everybodys-pages.ts";
import { type App, createApp } from "./http.ts";
import { setFree } from "./inventory/adjust.ts";
import { inventoryApi } from "./inventory/api.ts";
import { addToShelf } from "./inventory/commands.ts";
import { watchStockEverySeconds, watchStockTask } from "./inventory/jobs.ts";
import { recallApi } from "./inventory/recall-api.ts";
import { notificationsApi } from "./notifications/api.ts";
import {
  announceCartReminder,
  announceContactMessage,
  announceContactReply,
  announceDeletion,
  announceLookup,
} from "./notifications/commands.ts";
import { notificationTasks } from "./notifications/jobs.ts";
import { isOptedOut } from "./notifications/optouts.ts";
import { eraseContactMail, forgetFarewells, forgetOldMail } from "./notifications/personal-data.ts";
import { openMailer } from "./notifications/smtp.ts";
import { announceStock } from "./notifications/stock-news.ts";
import { createTwilio } from "./notifications/twilio.ts";
import { apiDocsPage, describeApi } from "./openapi.ts";
import { orderActionsApi } from "./orders/actions-api.ts";
import { firstToShip } from "./orders/admin-list.ts";
import { orderListApi } from "./orders/admin-list-api.ts";
import { readAdminOrder } from "./orders/admin-order.ts";
import { adminOrderApi } from "./orders/admin-order-api.ts";
import { ordersApi } from "./orders/api.ts";
import { fulfilmentApi } from "./orders/fulfilment-api.ts";
import { buyerAddress, forgetLookups, lookupTask } from "./orders/lookup.ts";
import { findOrderByPayment } from "./orders/queries.ts";
import { orders } from "./orders/tables.ts";
import { createPageCache } from "./page-cache.ts";
import { createPages } from "./pages.ts";
import { paymentsApi } from "./payments/api.ts";
import { callOffOrder } from "./payments/call-off.ts";
import {
  nightlyMoneyCheckEverySeconds,
  nightlyMoneyCheckTask,
  paymentTasks,
  reconcileTask,
} from "./payments/jobs.ts";
import { moneyCheckApi } from "./payments/money-check-api.ts";
import { ownerPaymentsApi } from "./payments/owner-api.ts";
import type { PaymentParts } from "./payments/parts.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import { createSandboxProvider, type SandboxProvider } from "./payments/sandbox.ts";
import { createStripeProvider } from "./payments/stripe.ts";
import { withdrawFromOrder } from "./payments/withdraw.ts";
import type { AnyApiRoute } from "./platform/api-route.ts";
import { listenForChanges } from "./platform/change-feed.ts";
import type { Config } from "./platform/config.ts";
import type { Database } from "./platform/database.ts";
import { housekeepingTask } from "./platform/housekeeping.ts";
import type { RecurringTask } from "./platform/job-workers.ts";
import { forgetGivenUpJobs, jobQueueStats, type Task } from "./platform/jobs.ts";
import { createMetrics, type Metrics } from "./platform/metrics.ts";
import { createRateLimits } from "./platform/rate-limit.ts";
import { privacyApi } from "./privacy/api.ts";
import { type DeletionParts, deletionTask, resumeDeletions } from "./privacy/deletion.ts";
import { knownAddress } from "./privacy/person.ts";
import { publicAddresses } from "./public-pages.ts";
import { reviewsApi } from "./reviews/api.ts";
import { reviewTasks } from "./reviews/jobs.ts";
import { salesApi } from "./sales/api.ts";
import { refreshSalesEverySeconds, refreshSalesTask } from "./sales/jobs.ts";
import { settingsApi } from "./settings/api.ts";
import { createShop, type Shop } from "./shop.ts";
import { siteFiles } from "./site/files.ts";
import { readLastChanges } from "./site/queries.ts";
import { staticFiles } from "./static-files.ts";

export type ComposeInput = {
  config: Config;
  databaseUrl: string;

  db: Database;
  log: Logger;
  /** Signs order links; and, derived from it, the sandbox's events. */
  sessionSecret: string;
  /** Absolute path of `build/`. */
  buildDir: string;
  /** Null: pages come from the build. */
  vite: ViteDevServer | null;
  isStopping(): boolean;
  now(): Date;
};

export type Composed = {
  app: App;
  /** Every call that `app` serves, for tests that must not miss one. */
  api: AnyApiRoute[];
  shop: Shop;
  /** For jobs and tests, which act without a request. */
  payments: PaymentParts;
  tasks: Task[];
  cron: RecurringTask[];
  /** Shown once, when it was made just now. */
  newAccessCode: string | null;
  /** Makes the public pages before somebody asks for them. Never throws. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
};

const housekeepingEverySeconds = 6 * 60 * 60;
/** A shop with more has them made when they are asked for. */
const warmProductsMax = 100;
/** How long the go-live check waits for the event that it asked for. */
const webhookPatienceMs = 20_000;

/** Builds the whole shop on a migrated database. Server and tests build the same one. */
export async function composeShop(input: ComposeInput): Promise<Composed> {
  const { config, db, log, now } = input;
  await seedFirstProduct(db, addToShelf);
  const newAccessCode = await ensureAccessCode(db, config.adminAccessCode);
  const metrics = createMetrics({ ordersByStatus: () => countOrders(db), jobs: () => jobQueueStats(db) });
  const changes = await listenForChanges(input.databaseUrl, log);

  // The sandbox posts its events to the very route that Stripe would: it needs the app, which needs the provider.
  const late: { app: App | null } = { app: null };
  const { provider, sandbox } = connectProvider(input, metrics, (rawBody, signature) =>
    postWebhook(late.app, rawBody, signature),
  );

  const linkSecret = input.sessionSecret;
  const { shop, checkout, quote, ownerSettings } = createShop({
    config,
    db,
    log,
    provider,
    sandbox,
    changes,
    linkSecret,
    development: input.vite !== null,
    now,
  });
  const lowStockAt = async () => (await ownerSettings()).lowStockAt;
  const moneyCheck = { ...checkout, timeZone: async () => (await ownerSettings()).timeZone };
  const mailFolder = join(config.dataDir, "mail");
  const pictures = openPictureStore(config.dataDir);
  const textSender = config.twilio && createTwilio(config.twilio);
  const deletion: DeletionParts = {
    db,
    now,
    settings: shop.settings,
    mailFolder,
    announce: announceDeletion,
  };
  const sessions = createSessionGate(db, config.publicUrl.startsWith("https:"), now);
  const limits = createRateLimits();
  const codeTries = createCodeTries(limits);
  const adminOrder = (orderId: string) => readAdminOrder(checkout, orderId);
  const api: AnyApiRoute[] = [
    ...catalogApi({
      db,
      now,
      products: shop.products,
      findProduct: shop.findProduct,
      store: pictures,
      shelf: { addToShelf, setFree },
    }),
    ...inventoryApi({ db, now, lowStockAt }),
    ...recallApi({ db }),
    ...moneyCheckApi(moneyCheck),
    ...cartApi({ db, quote, codeTries }),
    ...checkoutApi({ ...checkout, codeTries }),
    ...discountsApi({ db, now }),
    ...doctorApi({
      ...doctorParts({ config, db, log, now }),
      sandboxSecret: sandboxSecret(input),
      patienceMs: webhookPatienceMs,
    }),
    ...remindersApi({ db, now, secret: linkSecret, quote }),
    ...paymentsApi({
      ...checkout,
      sandbox,
      orderOfPayment: (visitorId, id) => findOrderByPayment(db, visitorId, id),
    }),
    ...ordersApi({
      db,
      now,
      ordersOf: shop.ordersOf,
      orderFor: (viewer, orderId) => shop.orderFor(viewer, orderId, null),
      orderByPayment: async (viewer, id) => (await shop.paidOrder(viewer, id))?.order ?? null,
    }),
    ...orderListApi({ db, now, ownerSettings }),
    ...orderActionsApi({
      ...checkout,
      orderOfBuyer: shop.orderOfBuyer,
      callOff: (orderId) => callOffOrder(checkout, orderId),
      withdraw: (statement) => withdrawFromOrder(checkout, statement),
    }),
    ...adminOrderApi({ ...checkout, adminOrder }),
    ...ownerPaymentsApi({ ...checkout, adminOrder }),
    ...fulfilmentApi({ ...checkout, adminOrder }),
    ...reviewsApi({
      db,
      now,
      settings: shop.settings,
      reviews: shop.reviews,
      secret: linkSecret,
      takeReviewTurn: (visitorId) => limits.take("reviewer", visitorId),
    }),
    ...contactApi({
      db,
      now,
      announce: announceContactMessage,
      announceReply: announceContactReply,
      forgetMail: (tx, messageId) => eraseContactMail(tx, messageId, mailFolder),
    }),
    ...notificationsApi({
      db,
      log,
      now,
      secret: linkSecret,
      textSender,
      publicUrl: config.publicUrl,
      settings: shop.settings,
      ownerSettings,
      channels: {
        texts: { isConfigured: textSender !== null, from: config.twilio?.from ?? null },
        mail: { isConfigured: config.mail.smtpUrl !== null, ownerEmail: config.mail.ownerEmail },
      },
    }),
    ...privacyApi(deletion),
    ...settingsApi({ db, now }),
    ...salesApi({
      db,
      now,
      provider: provider.name,
      settings: shop.settings,
      ownerSettings,
      ratingSummary: shop.ratingSummary,
      attention: () => listAttention(db),
      waitingToShip: () => firstToShip(db, 5),
    }),
    ...adminApi({ db, sessions, now }),
  ];
  const document = describeApi(api, config.publicUrl);
  const pages = createPages({ config, shop, buildDir: input.buildDir, vite: input.vite });
  const pageCache = createPageCache({
    changes,
    count: metrics.countKeptPage,
    countMade: metrics.countPageMade,
    report: shop.report,
  });
  const everybodys = input.vite ? null : everybodysPages(pages, pageCache);
  const app = createApp({
    config,
    log,
    metrics,
    limits,
    sessions,
    activity: createActivityLog(db, now),
    api,
    openApi: { document: () => document, page: () => apiDocsPage(document) },
    files: [
      ...siteFiles({
        publicUrl: config.publicUrl,
        cardFolder: join(config.dataDir, "share"),
        settings: shop.settings,
        products: shop.products,
        lastChanges: changes.cached(["catalog", "reviews"], () => readLastChanges(db)),
        pictureUrl: (file) => pictureSizes({ file, alt: "", width: null, height: null }).url,
        pictureFile: (url) => join(url.startsWith("/images/u-") ? config.dataDir : input.buildDir, url),
        now,
      }),
      ...staticFiles(input.buildDir, config.dataDir),
    ],
    pages,
    everybodys,
    isReady: async () => !input.isStopping() && (await answers(db)),
  });
  late.app = app;

  const mailer =
    config.mail.smtpUrl === null
      ? null
      : openMailer({ smtpUrl: config.mail.smtpUrl, from: config.mail.from });
  return {
    app,
    api,
    shop,
    payments: checkout,
    tasks: [
      ...paymentTasks(checkout),
      ...checkoutTasks({
        db,
        now,
        secret: linkSecret,
        isOptedOut: (tx, email) => isOptedOut(tx, email, "cart_reminder"),
        announce: announceCartReminder,
      }),
      ...reviewTasks(db),
      ...catalogTasks(db, pictures),
      lookupTask({
        db,
        now,
        knownAs: { orders: buyerAddress, export: knownAddress, deletion: knownAddress },
        send: announceLookup,
      }),
      deletionTask(deletion),
      ...notificationTasks({
        db,
        log,
        mailer,
        mailFolder,
        textSender,
        settings: shop.settings,
        ownerSettings,
        giving: shop.giving,
        ownerEmail: config.mail.ownerEmail,
        publicUrl: config.publicUrl,
        secret: linkSecret,
        isTestMode: provider.mode !== "live",
        now,
      }),
    ],
    cron: [
      { task: reconcileTask(checkout, sandbox), everySeconds: config.reconcileEverySeconds },
      { task: refreshSalesTask({ db, now }), everySeconds: refreshSalesEverySeconds },
      { task: nightlyMoneyCheckTask(moneyCheck), everySeconds: nightlyMoneyCheckEverySeconds },
      {
        task: watchStockTask({ db, now, lowStockAt, announce: announceStock }),
        everySeconds: watchStockEverySeconds,
      },
      {
        task: housekeepingTask({ db, now }, [
          forgetViews,
          (tx, at) => tidyPictures(tx, at, pictures),
          forgetLookups,
          forgetSessions,
          forgetActivity,
          forgetTries,
          forgetReminders,
          forgetContactMessages,
          resumeDeletions,
          (tx, at) => forgetFarewells(tx, at, mailFolder),
          (tx, at) => forgetOldMail(tx, at, mailFolder),
          forgetGivenUpJobs,
        ]),
        everySeconds: housekeepingEverySeconds,
      },
    ],
    newAccessCode,
    async warmUp() {
      try {
        const slugs = (await shop.productNames()).slice(0, warmProductsMax).map(({ slug }) => slug);
        await everybodys?.warmUp(publicAddresses(slugs), input.isStopping);
      } catch (error) {
        if (!input.isStopping()) shop.report(error);
      }
    },
    async close() {
      await sandbox?.drain();
      await changes.stop();
      mailer?.close();
    },
  };
}

/** With which the sandbox signs its events. */
function sandboxSecret({ config, sessionSecret }: ComposeInput): string {
  return config.webhookSecret ?? `whsec_sandbox_${sessionSecret}`;
}

function connectProvider(
  input: ComposeInput,
  metrics: Metrics,
  deliver: (rawBody: string, signature: string) => Promise<number>,
): { provider: PaymentProvider; sandbox: SandboxProvider | null } {
  const { config, db, log } = input;
  if (config.payments === "stripe" && config.stripe) {
    const provider = createStripeProvider({ ...config.stripe, log, observe: metrics.observeProvider });
    return { provider, sandbox: null };
  }
  const sandbox = createSandboxProvider({
    db,
    log,
    webhookSecret: sandboxSecret(input),
    publicUrl: config.publicUrl,
    deliver,
    events: config.sandboxEvents,
  });
  return { provider: sandbox, sandbox };
}

async function postWebhook(app: App | null, rawBody: string, signature: string): Promise<number> {
  if (!app) throw new Error("the sandbox sent an event before the shop was there to receive it");
  const response = await app.request("/api/stripe/webhook", {
    method: "POST",
    body: rawBody,
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
  });
  return response.status;
}

async function countOrders(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: orders.status, count: sql<number>`count(*)::int` })
    .from(orders)
    .groupBy(orders.status);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function answers(db: Database): Promise<boolean> {
  try {
    await db.execute(sql`select 1`);
    return true;
  } catch {
    return false;
  }
}
