import { join } from "node:path";
import type { Logger } from "pino";
import type { ViteDevServer } from "vite";
import type { ShownMenu } from "../domain/content/menu.ts";
import { isAllowed, type Role } from "../domain/people/roles.ts";
import type { Giving } from "../domain/sales/giving.ts";
import type { OwnerSettings, ShopSettings } from "../domain/settings/settings.ts";
import { type ActivityLog, createActivityLog } from "./admin/activity.ts";
import { createSessionGate, type SessionGate } from "./admin/sessions.ts";
import { readBackupMark } from "./backup/mark.ts";
import { backupStats } from "./backup/queries.ts";
import { type ProductsOnShow, productsOnShow } from "./catalog/on-show.ts";
import { openPictureStore, type PictureStore } from "./catalog/pictures/store.ts";
import type { AddressLookup } from "./checkout/address-lookup/lookup.ts";
import { openAddressLookup } from "./checkout/address-lookup/open-lookup.ts";
import { type Connections, openConnections } from "./connections/in-use.ts";
import { type EmailTexts, openEmailTexts } from "./content/emails/on-show.ts";
import { openMenu } from "./content/menu/on-show.ts";
import { openContent, type ReadContent } from "./content/on-show.ts";
import { apiOf, composers, paymentHooks } from "./features.ts";
import type { Answer, AnyApiRow } from "./http/api-row.ts";
import { countOrders } from "./orders/queries.ts";
import type { Composers } from "./outbox/compose.ts";
import { mailOutageSeconds } from "./outbox/outage.ts";
import { readBacklog } from "./outbox/queries.ts";
import type { Mailer } from "./outbox/smtp.ts";
import type { TextSender } from "./outbox/twilio.ts";
import type { PaymentProvider } from "./payment-providers/provider.ts";
import type { SandboxProvider } from "./payment-providers/sandbox/provider.ts";
import type { PaymentHooks } from "./payments/hooks.ts";
import { cachedFor } from "./platform/cached-for.ts";
import type { Config } from "./platform/config.ts";
import { type ChangeFeed, listenForChanges } from "./platform/database/change-feed.ts";
import type { Database, Db, OpenDatabase } from "./platform/database/database.ts";
import { readArchiveStatus } from "./platform/embedded-postgres/archive/status.ts";
import type { Problem } from "./platform/http/problem.ts";
import { createRateLimits, type RateLimits } from "./platform/http/rate-limit.ts";
import { countJobs } from "./platform/jobs/jobs.ts";
import { createMetrics, type Metrics } from "./platform/metrics.ts";
import type { Health } from "./platform/process/health.ts";
import { openSecretsKey, type SecretsKey } from "./platform/process/secrets-key.ts";
import { readGiving } from "./sales/giving.ts";
import { openSettings } from "./settings/settings-cache.ts";

/** What the process provides: see run.ts, and test/shop.ts for the tests' shop. */
export type ShopInput = {
  config: Config;
  /** Where the change feed listens: past a pooler. */
  directDatabaseUrl: string;
  db: Database;
  /** Its connections and their state. */
  database: Pick<OpenDatabase, "calls" | "connections" | "readApart" | "recheck" | "trouble">;
  log: Logger;
  /** Signs links in e-mails and cookies; the sandbox's webhook secret is derived from it. */
  secret: string;
  /** Absolute path of `build/`. */
  buildDir: string;
  /** Null: pages come from the build. */
  vite: ViteDevServer | null;
  /** Parts that this server needs in order to sell report here. */
  health: Health;
  isStopping(): boolean;
  now(): Date;
  /** Called with every API answer before it is sent; the tests' shop checks it against its row's schema. */
  onAnswer?(row: AnyApiRow, answer: Answer | Problem): void;
};

/** What commands, queries, jobs and API calls work with, made once when the shop starts. */
export type ShopContext = ShopInput & {
  /** The services the shop speaks to; what they are now is in `config`, `provider`, `mailer` and `textSender`. */
  connections: Connections;
  metrics: Metrics;
  /** Encrypts the keys that are kept in the database. */
  secretsKey: SecretsKey;
  changes: ChangeFeed;
  /** The configured payment provider. */
  provider: PaymentProvider;
  /** Whether it answers: asked at most once in 30 s, however often the shop is. */
  isProviderReachable(): Promise<boolean>;
  /** The same one if payments are simulated, else null. */
  sandbox: SandboxProvider | null;
  /**
   * Cached until they change. A transaction passes itself: what is not cached is then read on its own connection,
   * because transactions that each wait for a second connection could block each other.
   */
  settings(tx?: Db): Promise<ShopSettings>;
  /** The same for settings that only the owner sees. */
  ownerSettings(tx?: Db): Promise<OwnerSettings>;
  /** Products as shoppers see them, cached until they change. */
  products: ProductsOnShow;
  /** A text as shoppers read it, cached until one is published. */
  content: ReadContent;
  /** Header and footer, as shoppers see them. */
  menu(): Promise<ShownMenu>;
  /** The words of e-mails to shoppers, cached until some are published. */
  emailTexts: EmailTexts;
  /** What was set aside and sent so far, at most a minute old. */
  giving(): Promise<Giving>;
  sessions: SessionGate;
  /** The record of changes made in the panel. */
  activity: ActivityLog;
  limits: RateLimits;
  pictures: PictureStore;
  /** The keys of the admin's calls that a role may make. */
  callsOf(role: Role): string[];
  /** How each kind of message gets its content when it is sent. */
  composers: Composers;
  paymentHooks: readonly PaymentHooks[];
  /** Null: no mail server is configured, and messages are saved in `mailFolder`. */
  mailer: Mailer | null;
  mailFolder: string;
  /** Null: Twilio is not configured. */
  textSender: TextSender | null;
  /** Null: no service is configured, and addresses are typed. */
  addressLookup: AddressLookup | null;
};

const givingKeptMs = 60_000;
/** Prometheus waits for 10 s. */
const scrapeMs = 2_000;

export async function openContext(input: ShopInput): Promise<ShopContext> {
  const { config, db, health, log, now, secret } = input;
  const changes = await listenForChanges(input.directDatabaseUrl, log, health);
  const metrics = createMetrics({
    buildDir: input.buildDir,
    health,
    changes,
    connections: () => input.database.connections(),
    database: () =>
      input.database.readApart(scrapeMs, async (tx) => ({
        orders: await countOrders(tx),
        jobs: await countJobs(tx),
        outbox: await readBacklog(tx),
        mailOutageSeconds: await mailOutageSeconds(tx, now()),
        backups: await backupStats(tx, now(), await readBackupMark(config, now())),
      })),
    archive: () => readArchiveStatus(config, now()),
    log,
  });
  const settings = openSettings({ db, health, changes });
  const secretsKey = openSecretsKey({ ...config.secretsKey, dataDir: config.dataDir });
  const connections = await openConnections({ ...input, changes, secretsKey }, metrics);
  const { addressLookup, publicUrl } = config;
  const products = productsOnShow(db, changes);
  const ctx: ShopContext = {
    ...input,
    ...settings,
    metrics,
    secretsKey,
    changes,
    connections,
    get config() {
      return connections.inUse().config;
    },
    get provider() {
      return connections.inUse().provider;
    },
    get sandbox() {
      return connections.inUse().sandbox;
    },
    get mailer() {
      return connections.inUse().mailer;
    },
    get textSender() {
      return connections.inUse().textSender;
    },
    isProviderReachable: () => connections.inUse().isProviderReachable(),
    products,
    menu: openMenu({ db, changes, health, products }),
    content: openContent({ db, changes, health }),
    emailTexts: openEmailTexts({ db, changes, health, log }),
    giving: cachedFor(givingKeptMs, now, () => readGiving(db, ctx.provider.mode)),
    sessions: createSessionGate({ db, isSecure: publicUrl.startsWith("https:"), secret, now }),
    activity: createActivityLog(db, now),
    limits: createRateLimits(input.database.calls),
    pictures: openPictureStore({ folder: config.dataDir, db, log }),
    callsOf: (role) =>
      apiOf(ctx).flatMap(({ access, key, roles }) =>
        access === "admin" && isAllowed(role, roles) ? [key] : [],
      ),
    composers,
    paymentHooks,
    mailFolder: join(config.dataDir, "mail"),
    addressLookup: addressLookup && openAddressLookup(addressLookup),
  };
  return ctx;
}
