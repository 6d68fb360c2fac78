import { join } from "node:path";
import { isAllowed } from "../domain/people/roles.ts";
import { createActivityLog } from "./admin/activity.ts";
import { createSessionGate } from "./admin/sessions.ts";
import { offSiteStats } from "./backup/off-site/report.ts";
import { backupStats, readBackupMarker } from "./backup/queries.ts";
import { openPictureStore } from "./catalog/pictures/store.ts";
import { openPublishedProducts } from "./catalog/published-products.ts";
import { openAddressLookup } from "./checkout/address-lookup/open-lookup.ts";
import { openConnections } from "./connections/connections.ts";
import { openEmailTexts } from "./content/emails/published-texts.ts";
import { openMenu } from "./content/menu/menu.ts";
import { openContent } from "./content/published-texts.ts";
import type { ShopContext } from "./context.ts";
import { openAutomaticSwitch } from "./discounts/queries.ts";
import { composers, enabledApi, liveRates, paymentHooks, personalData } from "./features.ts";
import { countOrders } from "./orders/queries.ts";
import { mailOutageSeconds } from "./outbox/outage.ts";
import { readBacklog } from "./outbox/queries.ts";
import type { ShopInput } from "./platform/base-context.ts";
import { cachedFor } from "./platform/cached-for.ts";
import { listenForChanges } from "./platform/database/change-feed.ts";
import { readArchiveStatus } from "./platform/embedded-postgres/archive/status.ts";
import { createRateLimits } from "./platform/http/rate-limit.ts";
import { countJobs } from "./platform/jobs/jobs.ts";
import { createMetrics } from "./platform/metrics.ts";
import { openSecretsKey } from "./platform/process/secrets-key.ts";
import { readGiving } from "./sales/donations.ts";
import { openSettings } from "./settings/queries.ts";

const givingCacheMs = 60_000;
/** Timeout of the queries for metrics; Prometheus itself waits for 10 s. */
const metricsTimeoutMs = 2_000;

export async function openContext(input: ShopInput): Promise<ShopContext> {
  const { config, db, health, log, now, secret } = input;
  const changes = await listenForChanges(input.directDatabaseUrl, log, health);
  const metrics = createMetrics({
    buildDir: input.buildDir,
    health,
    changes,
    connections: () => input.database.connections(),
    database: () =>
      input.database.readSeparately(metricsTimeoutMs, async (tx) => ({
        orders: await countOrders(tx),
        jobs: await countJobs(tx),
        outbox: await readBacklog(tx),
        mailOutageSeconds: await mailOutageSeconds(tx, now()),
        backups: await backupStats(tx, now(), await readBackupMarker(config, now())),
        offSite: await offSiteStats(tx, now()),
      })),
    archive: () => readArchiveStatus(config, now()),
    log,
  });
  const settings = openSettings({ db, health, changes });
  const secretsKey = openSecretsKey({ ...config.secretsKey, dataDir: config.dataDir });
  const connections = await openConnections({ ...input, changes, secretsKey }, metrics);
  const { addressLookup, publicUrl } = config;
  const products = openPublishedProducts(db, changes);
  const ctx: ShopContext = {
    ...input,
    ...settings,
    metrics,
    secretsKey,
    changes,
    connections,
    get config() {
      return connections.current().config;
    },
    get provider() {
      return connections.current().provider;
    },
    get sandbox() {
      return connections.current().sandbox;
    },
    get mailer() {
      return connections.current().mailer;
    },
    get textSender() {
      return connections.current().textSender;
    },
    isProviderReachable: () => connections.current().isProviderReachable(),
    products,
    hasAutomaticDiscounts: openAutomaticSwitch({ db, changes }),
    menu: openMenu({ db, changes, health, products }),
    content: openContent({ db, changes, health }),
    emailTexts: openEmailTexts({ db, changes, health, log }),
    giving: cachedFor(givingCacheMs, now, () => readGiving(ctx)),
    sessions: createSessionGate({ db, isSecure: publicUrl.startsWith("https:"), secret, now }),
    activity: createActivityLog(db, now),
    limits: createRateLimits(input.database.calls),
    pictures: openPictureStore({ folder: config.dataDir, db, log }),
    allowedCalls: (role) =>
      enabledApi(ctx).flatMap(({ access, key, roles }) =>
        access === "admin" && isAllowed(role, roles) ? [key] : [],
      ),
    composers,
    paymentHooks,
    personalData,
    liveRates: (request) => liveRates(ctx, request),
    mailFolder: join(config.dataDir, "mail"),
    addressLookup: addressLookup && openAddressLookup(addressLookup),
  };
  return ctx;
}
