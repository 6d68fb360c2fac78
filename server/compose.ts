import { join } from "node:path";
import { ensureAccessCode } from "./admin/access.ts";
import { createActivityLog } from "./admin/activity.ts";
import { createSessionGate } from "./admin/sessions.ts";
import { seedFirstProduct } from "./catalog/seed.ts";
import { adminArea } from "./compose/admin.ts";
import type { AreaParts } from "./compose/area.ts";
import { buyingArea } from "./compose/buying.ts";
import { catalogArea } from "./compose/catalog.ts";
import { checkoutParts } from "./compose/checkout-parts.ts";
import type { ComposeInput } from "./compose/input.ts";
import { keepSettings } from "./compose/kept-settings.ts";
import { messagesArea } from "./compose/messages.ts";
import { ordersArea } from "./compose/orders.ts";
import { paymentsArea } from "./compose/payments.ts";
import { peopleArea } from "./compose/people.ts";
import { countOrders, watchDatabase } from "./compose/probes.ts";
import { connectProvider } from "./compose/provider.ts";
import { createQuote } from "./compose/quote.ts";
import { createShop } from "./compose/shop.ts";
import { openSite } from "./compose/site.ts";
import { housekeeping } from "./compose/upkeep.ts";
import { createApp } from "./http/app.ts";
import { apiDocsPage, describeApi } from "./http/openapi.ts";
import type { App } from "./http/parts.ts";
import { addToShelf } from "./inventory/commands.ts";
import type { Shop } from "./pages/shop.ts";
import type { PaymentParts } from "./payments/parts.ts";
import type { AnyApiRoute } from "./platform/api-route.ts";
import { listenForChanges } from "./platform/change-feed.ts";
import type { RecurringTask } from "./platform/job-workers.ts";
import { jobQueueStats, type Task } from "./platform/jobs.ts";
import { createMetrics } from "./platform/metrics.ts";
import { createRateLimits } from "./platform/rate-limit.ts";
import { readShopId } from "./settings/shop-id.ts";

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

/** Builds the whole shop on a migrated database. Server and tests build the same one. */
export async function composeShop(input: ComposeInput): Promise<Composed> {
  const { config, db, health, log, now } = input;
  await seedFirstProduct(db, addToShelf);
  const newAccessCode = await ensureAccessCode(db, config.adminAccessCode);
  const metrics = createMetrics({
    ordersByStatus: () => countOrders(db),
    jobs: () => jobQueueStats(db),
    connections: () => input.database.connections(),
    health: () => health.read(),
  });
  const changes = await listenForChanges(input.databaseUrl, log, health);
  const databaseWatch = watchDatabase({ changes, database: input.database, health });
  const settings = keepSettings(input, changes);

  const late: { app: App | null } = { app: null };
  const { provider, sandbox } = connectProvider(input, metrics, await readShopId(db), () => late.app);
  // Not waited for: a provider that is away stops neither the start nor a checkout.
  void provider.learnAccount();
  const checkout = checkoutParts(input, provider, settings);
  const shop = createShop({
    checkout,
    sandbox,
    changes,
    linkSecret: input.sessionSecret,
    development: input.vite !== null,
  });

  const parts: AreaParts = {
    ...input,
    provider,
    sandbox,
    settings,
    checkout,
    quote: createQuote(checkout),
    shop,
    sessions: createSessionGate({
      db,
      isSecure: config.publicUrl.startsWith("https:"),
      secret: input.sessionSecret,
      now,
    }),
    limits: createRateLimits(),
    mailFolder: join(config.dataDir, "mail"),
  };
  const messages = messagesArea(parts);
  const areas = [
    catalogArea(parts),
    buyingArea(parts),
    paymentsArea(parts),
    ordersArea(parts),
    peopleArea(parts),
    messages,
    adminArea(parts),
  ];
  const api = areas.flatMap((area) => area.api);
  const document = describeApi(api, config.publicUrl);
  const { warmUp, ...site } = openSite(input, shop, changes, metrics);
  const app = createApp({
    config,
    log,
    metrics,
    limits: parts.limits,
    sessions: parts.sessions,
    activity: createActivityLog(db, now),
    api,
    openApi: { document: () => document, page: () => apiDocsPage(document) },
    ...site,
    readiness: async () => {
      await databaseWatch.look();
      const { canSell, degraded } = health.read();
      return { isReady: !input.isStopping() && canSell, degraded };
    },
  });
  late.app = app;

  return {
    app,
    api,
    shop,
    payments: checkout,
    tasks: areas.flatMap(({ tasks = [] }) => tasks),
    cron: [...areas.flatMap(({ cron = [] }) => cron), housekeeping(input, areas)],
    newAccessCode,
    warmUp,
    async close() {
      await sandbox?.drain();
      databaseWatch.stop();
      await changes.stop();
      messages.close();
    },
  };
}
