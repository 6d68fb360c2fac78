import { AsyncLocalStorage } from "node:async_hooks";
import { lt } from "drizzle-orm";
import { ensureAccessCode } from "./admin/access.ts";
import type { AnyApiRow } from "./api-row.ts";
import { seedFirstProduct } from "./catalog/seed.ts";
import type { ShopContext } from "./context.ts";
import type { Feature } from "./feature.ts";
import { enabledApi, features } from "./features.ts";
import { apiDocsPage } from "./http/api-docs.ts";
import { createApp } from "./http/app.ts";
import type { App } from "./http/app-types.ts";
import { describeApi } from "./http/openapi.ts";
import { rateLimits } from "./http/tables.ts";
import { openContext } from "./open-context.ts";
import { openSite } from "./pages/open-site.ts";
import { openPageShop, type Shop } from "./pages/shop.ts";
import type { ShopInput } from "./platform/base-context.ts";
import { watchDatabase } from "./platform/database/database-watch.ts";
import { deleteInBatches } from "./platform/database/in-batches.ts";
import {
  housekeepingEverySeconds,
  housekeepingTask,
  minutelyEverySeconds,
  minutelyTask,
} from "./platform/jobs/housekeeping.ts";
import { endUnknownJobs, purgeFailedJobs, type RecurringTask, type Task } from "./platform/jobs/jobs.ts";

export type OpenShop = {
  ctx: ShopContext;
  app: App;
  /** Every row that `app` serves, for tests that must not miss one. */
  api: readonly AnyApiRow[];
  /** The interface that pages use. */
  shop: Shop;
  tasks: Task[];
  cron: RecurringTask[];
  /** The access code if it was generated just now, to be shown once. */
  newAccessCode: string | null;
  /** Renders the public pages before they are requested. Never throws. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the shop on a migrated database, for the server and the tests. */
export async function openShop(input: ShopInput): Promise<OpenShop> {
  const { config, db, health, log, now } = input;
  await seedFirstProduct(db);
  const [newAccessCode, ctx] = await Promise.all([
    ensureAccessCode(db, config.adminAccessCode),
    openContext(input),
  ]);
  const allFeatures: readonly Feature[] = features;
  for (const feature of allFeatures) await feature.atStart?.(ctx);
  const databaseWatch = watchDatabase({ changes: ctx.changes, database: input.database, health });
  // Not awaited: an unavailable provider must stop neither the start nor a checkout.
  void ctx.provider.loadAccount();

  const api = enabledApi(ctx);
  let description: ReturnType<typeof describeApi> | undefined;
  // Created when it is first read: converting every schema takes as long as a third of opening the shop.
  const document = () => (description ??= describeApi(api, config.publicUrl));
  const shop = openPageShop(ctx);
  const { warmUp, ...site } = openSite(ctx, shop);
  const app = createApp({
    ctx,
    api,
    openApi: { document, page: () => apiDocsPage(document()) },
    ...site,
    readiness: async () => {
      await databaseWatch.check();
      const { canSell, degraded } = health.read();
      return { isReady: !input.isStopping() && canSell, degraded };
    },
    showsPages: () => !input.isStopping() && databaseWatch.hasBeenReady(),
  });
  // Runs outside the context of the call that paid, because the event arrives in a separate call.
  const runOutsideCall = AsyncLocalStorage.snapshot();
  ctx.connections.deliverTo((rawBody, signature) => runOutsideCall(postWebhook, app, rawBody, signature));

  const purges = allFeatures.flatMap(({ purges = [] }) =>
    purges.map((purge) => ({ name: purge.name, run: () => purge(ctx) })),
  );
  const housekeeping = housekeepingTask(log, [
    ...purges,
    { name: "purgeFailedJobs", run: () => purgeFailedJobs(db, now()) },
  ]);
  const tasks = allFeatures.flatMap(({ tasks }) => tasks?.(ctx) ?? []);
  const minutely = minutelyTask(log, [
    {
      name: "purgeRateLimits",
      run: () => deleteInBatches(db, rateLimits, lt(rateLimits.expire, Date.now())),
    },
    {
      name: "endUnknownJobs",
      run: () =>
        endUnknownJobs(
          db,
          [...tasks, ...cron.map(({ task }) => task)].map(({ job }) => job.name),
          log,
        ),
    },
  ]);
  const cron = [
    ...allFeatures.flatMap(({ cron }) => cron?.(ctx) ?? []),
    { task: housekeeping, everySeconds: housekeepingEverySeconds },
    { task: minutely, everySeconds: minutelyEverySeconds },
  ];
  return {
    ctx,
    app,
    api,
    shop,
    tasks,
    cron,
    newAccessCode,
    warmUp,
    async close() {
      await ctx.sandbox?.drain();
      databaseWatch.stop();
      await ctx.changes.stop();
      ctx.connections.close();
    },
  };
}

/** Posts a sandbox event to the webhook; returns the status. */
async function postWebhook(app: App, rawBody: string, signature: string): Promise<number> {
  const response = await app.request("/api/stripe/webhook", {
    method: "POST",
    body: rawBody,
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
  });
  return response.status;
}
