import { join, resolve } from "node:path";
import { accessCodeLength } from "../../domain/admin/admin.ts";
import { type PaymentProviderName, paymentProviders } from "../../domain/payments/providers.ts";
import { type DatabaseLimits, defaultDatabaseLimits } from "./database/database-limits.ts";
import { isLoopback } from "./http/client-address.ts";
import { type Environment, type EnvironmentReader, environmentReader } from "./process/environment.ts";

type StripeKeys = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  apiBase: string | null;
};
type TwilioKeys = { accountSid: string; authToken: string; from: string; apiBase: string | null };

/** The parsed environment. Secrets in it are never logged. */
export type Config = {
  port: number;
  host: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** Absolute path. */
  dataDir: string;
  /**
   * Absolute path of the folder for backups. `isConfigured`: whether BACKUP_DIR is set; if so, the embedded database's
   * write-ahead log is archived there as well.
   */
  backupDir: { path: string; isConfigured: boolean };
  /** Null if the embedded PostgreSQL is used. */
  databaseUrl: string | null;
  /** URL of PostgreSQL itself behind a pooler; null if `databaseUrl` is that URL. */
  databaseDirectUrl: string | null;
  databaseLimits: DatabaseLimits;
  /** How long startup waits for an unavailable database. */
  databaseWaitSeconds: number;
  /** Null if it is generated at the first start. */
  adminAccessCode: string | null;
  /** Null if it is generated at the first start. */
  sessionSecret: string | null;
  /**
   * Encrypts the keys that the owner enters in the panel. `configuredKey`: null if the key is in a file in
   * `dataDir`. `formerKeys` still decrypt the values that they encrypted.
   */
  secretsKey: { configuredKey: string | null; formerKeys: string[] };
  payments: PaymentProviderName;
  /** Source of the payment settings: the environment or, if it has none, the keys entered in the panel. */
  paymentsFrom: "environment" | "panel";
  /** Null with `payments: "stripe"` if no keys are set; no card payments are accepted then. */
  stripe: StripeKeys | null;
  /** Also used by the sandbox, if set. */
  webhookSecret: string | null;
  /** `connections`: maximum number of SMTP connections, each sending one message at a time. */
  mail: {
    smtpUrl: string | null;
    from: string | null;
    ownerEmail: string | null;
    connections: number;
    newslettersPerMinute: number;
  };
  twilio: TwilioKeys | null;
  /** URLs of test doubles that replace the services' own, for keys from the environment or the panel. */
  apiBases: Record<"stripe" | "twilio" | "easypost" | "shippo", string | null>;
  /** Keys of label providers; only the panel sets them. */
  labelKeys: Record<"easypost" | "shippo", string | null>;
  /** Suggests addresses at checkout. */
  addressLookup: { provider: "google" | "loqate"; key: string; apiBase: string | null } | null;
  /** URL of a test double that replaces the browsers' push services, if there is one. */
  webPushApiBase: string | null;
  /** Whether webhooks may be sent to this machine over http, for tests of receivers. */
  webhookAllowsLocal: boolean;
  trustProxy: string[];
  /** How long this server continues to serve after SIGTERM, while load balancers learn from /readyz that it stops. */
  drainSeconds: number;
  reservationSeconds: number;
  reconcileEverySeconds: number;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  metricsToken: string | null;
  backups: {
    /** Null if backups are not encrypted. */
    passphrase: string | null;
    /** Whether the shop makes a backup every night. */
    runsNightly: boolean;
    /** Whether the shop makes a backup before each migration of the database. */
    runsBeforeMigration: boolean;
  };
  /** Whether a collector for OpenTelemetry traces is configured. */
  hasTracing: boolean;
  /** How the sandbox delivers its events: immediately, or, for development, with simulated trouble. */
  sandboxEvents: "at_once" | "late" | "twice" | "shuffled";
};

/** Folder in which the embedded database's log is archived; null if it is not, because BACKUP_DIR is not set. */
export function resolveArchiveDir({
  databaseUrl,
  backupDir,
}: Pick<Config, "databaseUrl" | "backupDir">): string | null {
  return databaseUrl === null && backupDir.isConfigured ? backupDir.path : null;
}

/** Parses all variables; `problems` has one line for each invalid one, with its name. */
export function parseConfig(
  environment: Environment,
): { ok: true; config: Config } | { ok: false; problems: string[] } {
  const env = environmentReader(environment);
  const port = env.integer("PORT", 5000, 0, 65535);
  const publicUrl = readPublicUrl(env) ?? `http://localhost:${port}`;
  const trustProxy = env.networks("TRUST_PROXY");
  const dataDir = resolve(env.text("DATA_DIR") ?? "data");
  const backupDir = env.text("BACKUP_DIR");
  const apiBases = {
    stripe: env.url("STRIPE_API_BASE", ["http:", "https:"]),
    twilio: env.url("TWILIO_API_BASE", ["http:", "https:"]),
    easypost: env.url("EASYPOST_API_BASE", ["http:", "https:"]),
    shippo: env.url("SHIPPO_API_BASE", ["http:", "https:"]),
  };
  const config: Config = {
    port,
    host: env.text("HOST") ?? "127.0.0.1",
    publicUrl,
    dataDir,
    backupDir: { path: resolve(backupDir ?? join(dataDir, "backups")), isConfigured: backupDir !== null },
    databaseUrl: env.url("DATABASE_URL", ["postgres:", "postgresql:"]),
    databaseDirectUrl: env.url("DATABASE_DIRECT_URL", ["postgres:", "postgresql:"]),
    databaseLimits: readDatabaseLimits(env),
    databaseWaitSeconds: env.integer("DATABASE_WAIT_S", 0, 0, 3_600),
    adminAccessCode: readAccessCode(env),
    sessionSecret: env.text("SESSION_SECRET"),
    secretsKey: readSecretsKey(env),
    ...readPayments(env, { publicUrl, apiBase: apiBases.stripe }),
    mail: {
      smtpUrl: smtpUrlWithTls(env.url("SMTP_URL", ["smtp:", "smtps:"])),
      from: readEmail(env, "MAIL_FROM"),
      ownerEmail: readEmail(env, "OWNER_EMAIL"),
      connections: env.integer("SMTP_CONNECTIONS", 8, 1, 50),
      newslettersPerMinute: env.integer("NEWSLETTERS_PER_MINUTE", 120, 1, 60_000),
    },
    twilio: readTwilio(env, apiBases.twilio),
    apiBases,
    labelKeys: { easypost: null, shippo: null },
    addressLookup: readAddressLookup(env),
    webhookAllowsLocal: env.oneOf("WEBHOOK_ALLOW_LOCAL", "0", ["0", "1"]) === "1",
    webPushApiBase: env.url("WEB_PUSH_API_BASE", ["http:", "https:"]),
    trustProxy,
    drainSeconds: env.integer("DRAIN_S", trustProxy.length > 0 ? 5 : 0.5, 0, 300),
    reservationSeconds: env.integer("RESERVATION_S", 1800, 1, 604_800),
    reconcileEverySeconds: env.integer("RECONCILE_EVERY_S", 300, 1, 86_400),
    logLevel: env.oneOf("LOG_LEVEL", "info", ["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    metricsToken: env.text("METRICS_TOKEN"),
    backups: readBackups(env),
    hasTracing: env.url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http:", "https:"]) !== null,
    sandboxEvents: env.oneOf("SANDBOX_EVENTS", "at_once", ["at_once", "late", "twice", "shuffled"]),
  };
  if (config.databaseDirectUrl !== null && config.databaseUrl === null) {
    env.problems.push("DATABASE_DIRECT_URL: needs DATABASE_URL as well");
  }
  return env.problems.length > 0 ? { ok: false, problems: env.problems } : { ok: true, config };
}

function readBackups(env: EnvironmentReader): Config["backups"] {
  return {
    passphrase: env.text("BACKUP_PASSPHRASE"),
    runsNightly: env.oneOf("BACKUP_NIGHTLY", "1", ["0", "1"]) === "1",
    runsBeforeMigration: env.oneOf("BACKUP_BEFORE_MIGRATION", "1", ["0", "1"]) === "1",
  };
}

function readAccessCode(env: EnvironmentReader): string | null {
  const code = env.text("ADMIN_ACCESS_CODE");
  const { min, max } = accessCodeLength;
  if (code !== null && (code.length < min || code.length > max)) {
    env.problems.push(`ADMIN_ACCESS_CODE: must have ${min} to ${max} characters`);
  }
  return code;
}

/** Shorter keys could be guessed by an attacker with a backup. */
const minSecretsKeyLength = 32;

function readSecretsKey(env: EnvironmentReader): Config["secretsKey"] {
  const configuredKey = env.text("SECRETS_KEY");
  const formerKeys = (env.text("SECRETS_KEY_OLD") ?? "").split(",").filter((key) => key.trim() !== "");
  const isShort = (key: string) => key.trim().length < minSecretsKeyLength;
  if (configuredKey !== null && (isShort(configuredKey) || configuredKey.includes(","))) {
    env.problems.push(`SECRETS_KEY: must have ${minSecretsKeyLength} characters or more, without a comma`);
  }
  if (formerKeys.some(isShort)) {
    env.problems.push(`SECRETS_KEY_OLD: each key must have ${minSecretsKeyLength} characters or more`);
  }
  return { configuredKey, formerKeys: formerKeys.map((key) => key.trim()) };
}

function readDatabaseLimits(env: EnvironmentReader): DatabaseLimits {
  const defaults = defaultDatabaseLimits;
  return {
    httpConnections: env.integer("DATABASE_HTTP_CONNECTIONS", defaults.httpConnections, 3, 100),
    jobConnections: env.integer("DATABASE_JOB_CONNECTIONS", defaults.jobConnections, 5, 100),
    statementSeconds: env.integer("DATABASE_STATEMENT_TIMEOUT_S", defaults.statementSeconds, 1, 600),
    jobStatementSeconds: env.integer(
      "DATABASE_JOB_STATEMENT_TIMEOUT_S",
      defaults.jobStatementSeconds,
      1,
      3_600,
    ),
    lockSeconds: env.integer("DATABASE_LOCK_TIMEOUT_S", defaults.lockSeconds, 1, 600),
  };
}

function readPublicUrl(env: EnvironmentReader): string | null {
  const url = env.url("PUBLIC_URL", ["http:", "https:"]);
  if (url === null) return null;
  const { origin, pathname, search } = new URL(url);
  if (pathname !== "/" || search !== "") env.problems.push("PUBLIC_URL: must end after the host and port");
  return origin;
}

/** `ada@example.com` or `Ada <ada@example.com>`. */
function readEmail(env: EnvironmentReader, name: string): string | null {
  const value = env.text(name);
  if (value !== null && !/^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)) {
    env.problems.push(`${name}: must be an email address`);
  }
  return value;
}

function readPayments(
  env: EnvironmentReader,
  { publicUrl, apiBase }: { publicUrl: string; apiBase: string | null },
): Pick<Config, "payments" | "paymentsFrom" | "stripe" | "webhookSecret"> {
  const setting = env.oneOf("PAYMENTS", null, paymentProviders);
  const secretKey = env.text("STRIPE_SECRET_KEY");
  const publishableKey = env.text("STRIPE_PUBLISHABLE_KEY");
  const webhookSecret = env.text("STRIPE_WEBHOOK_SECRET");

  if (setting === "sandbox") {
    return { payments: "sandbox", paymentsFrom: "environment", stripe: null, webhookSecret };
  }
  // A webhook secret alone is no reason to use Stripe: the sandbox signs its events with it.
  if (secretKey === null && publishableKey === null && (setting === null || webhookSecret === null)) {
    // A public shop never falls back to simulated payments: it waits for keys, which the panel accepts.
    const payments = setting === "stripe" || publicUrl.startsWith("https:") ? "stripe" : "sandbox";
    return { payments, paymentsFrom: "panel", stripe: null, webhookSecret };
  }

  const keys = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  };
  for (const [name, value] of Object.entries(keys)) {
    if (value === null) env.problems.push(`${name}: is missing; payments through Stripe need it`);
  }
  if (secretKey !== null && !/^[sr]k_/.test(secretKey)) {
    env.problems.push("STRIPE_SECRET_KEY: must start with sk_ or rk_");
  }
  // The publishable key goes to every browser: a secret key entered here by mistake would be exposed.
  if (publishableKey !== null && !publishableKey.startsWith("pk_")) {
    env.problems.push("STRIPE_PUBLISHABLE_KEY: must start with pk_");
  }
  if (secretKey === null || publishableKey === null || webhookSecret === null) {
    return { payments: "stripe", paymentsFrom: "environment", stripe: null, webhookSecret };
  }
  if (/^[sr]k_live_/.test(secretKey) !== publishableKey.startsWith("pk_live_")) {
    env.problems.push(
      "STRIPE_PUBLISHABLE_KEY: one key is live and the other is for tests; both must be live keys, or both test keys",
    );
  }
  const stripe = { secretKey, publishableKey, webhookSecret, apiBase };
  return { payments: "stripe", paymentsFrom: "environment", stripe, webhookSecret };
}

function readTwilio(env: EnvironmentReader, apiBase: string | null): Config["twilio"] {
  const names = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const;
  const [accountSid = null, authToken = null, from = null] = names.map((name) => env.text(name));
  if (accountSid !== null && authToken !== null && from !== null)
    return { accountSid, authToken, from, apiBase };
  if (accountSid !== null || authToken !== null || from !== null) {
    for (const name of names) {
      if (env.text(name) === null) env.problems.push(`${name}: is missing; text messages need it`);
    }
  }
  return null;
}

function readAddressLookup(env: EnvironmentReader): Config["addressLookup"] {
  const setting = env.oneOf("ADDRESS_LOOKUP", null, ["google", "loqate"]);
  const keys = { google: env.text("GOOGLE_PLACES_KEY"), loqate: env.text("LOQATE_KEY") };
  const apiBase = env.url("ADDRESS_LOOKUP_API_BASE", ["http:", "https:"]);
  if (setting === null && keys.google !== null && keys.loqate !== null) {
    env.problems.push("ADDRESS_LOOKUP: must be google or loqate, because both have a key");
    return null;
  }
  const provider = setting ?? (keys.loqate === null ? "google" : "loqate");
  const key = keys[provider];
  if (key !== null) return { provider, key, apiBase };
  if (setting !== null) {
    const name = setting === "google" ? "GOOGLE_PLACES_KEY" : "LOQATE_KEY";
    env.problems.push(`${name}: is missing; ADDRESS_LOOKUP=${setting} needs it`);
  }
  return null;
}

/**
 * Requires TLS for a password (`requireTLS`), except on this machine or with `?insecure=1`: no mail is sent if the server does
 * not offer STARTTLS, or if an attacker removes the offer.
 */
function smtpUrlWithTls(smtpUrl: string | null): string | null {
  if (smtpUrl === null) return null;
  const url = new URL(smtpUrl);
  const isInsecure = url.searchParams.get("insecure") === "1";
  url.searchParams.delete("insecure");
  const isLocal = url.hostname === "localhost" || isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
  if (url.protocol === "smtp:" && url.password !== "" && !isLocal && !isInsecure) {
    url.searchParams.set("requireTLS", "true");
  }
  return url.href;
}
