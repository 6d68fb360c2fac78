import { and, count, gt, inArray, isNull, ne } from "drizzle-orm";
import type { ConnectionName, ConnectionsState } from "../../domain/connections/connections.ts";
import type { LabelProvider } from "../../domain/labels/labels.ts";
import { adminAccess, adminSessions } from "../admin/tables.ts";
import type { ShopContext } from "../context.ts";
import { keyMode } from "../label-providers/open.ts";
import { people } from "../people/tables.ts";
import type { Config } from "../platform/config.ts";
import type { SecretRow } from "../settings/secrets.ts";
import { readMailReportsState } from "./mail-reports.ts";
import { carrierFacts, readStoredKeys, type StoredKeys, stripeFacts } from "./stored-keys.ts";

/** State of the connections for the panel. `sessionId`: the caller's session. */
export async function readConnections(ctx: ShopContext, sessionId: string | null): Promise<ConnectionsState> {
  const { db, secretsKey } = ctx;
  const { environment: env } = ctx.connections;
  const storedKeys = await readStoredKeys(db, secretsKey);
  const names = await readNames(ctx, storedKeys);
  const sharedState = (name: ConnectionName) => ({
    ...keyState(storedKeys[name].row, names),
    ...connectionSource(env, storedKeys, name),
  });
  const { labelKeys, mail, stripe, twilio } = ctx.config;
  const carrierState = (name: LabelProvider) => ({
    ...sharedState(name),
    apiKey: abbreviateKey(labelKeys[name]),
    mode: labelKeys[name] === null ? null : keyMode(name, labelKeys[name]),
    hasWebhook: carrierFacts(storedKeys[name].row).hasWebhook,
  });
  const server = mail.smtpUrl === null ? null : new URL(mail.smtpUrl);
  const facts = stripeFacts(storedKeys.stripe.row);
  return {
    key: {
      from: secretsKey.from,
      id: secretsKey.id,
      problem: secretsKey.problem,
      mayHaveOtherServers: env.databaseUrl !== null,
    },
    stripe: {
      ...sharedState("stripe"),
      mode: ctx.config.payments === "sandbox" ? "sandbox" : stripe && ctx.provider.mode,
      publishableKey: abbreviateKey(stripe?.publishableKey),
      account: abbreviateKey(
        ctx.provider.account ?? (storedKeys.stripe.state === "set" ? facts?.account : null),
      ),
      webhookUrl: stripeWebhookUrl(env),
      webhook: storedKeys.stripe.state === "set" ? (facts?.webhook ?? null) : null,
    },
    mail: {
      ...sharedState("mail"),
      host: server?.hostname.replace(/^\[|\]$/g, "") ?? null,
      port: server && Number(server.port || (server.protocol === "smtps:" ? 465 : 587)),
      security: server && smtpSecurity(server),
      user: server && abbreviateKey(decodeURIComponent(server.username) || null),
      from: mail.from,
      ownerEmail: mail.ownerEmail,
      ...(await readMailReportsState(ctx)),
    },
    twilio: {
      ...sharedState("twilio"),
      accountSid: abbreviateKey(twilio?.accountSid),
      from: twilio?.from ?? null,
    },
    easypost: carrierState("easypost"),
    shippo: carrierState("shippo"),
    accessCode: await accessCodeState(ctx, sessionId),
  };
}

/** Where Stripe sends its events. */
export const stripeWebhookUrl = ({ publicUrl }: Pick<Config, "publicUrl">) =>
  `${publicUrl}/api/stripe/webhook`;

/** Variables of the environment that set keys of a connection. */
export function connectionVariables(env: Config, name: ConnectionName): string[] {
  switch (name) {
    case "stripe":
      if (env.paymentsFrom === "environment" && env.payments === "sandbox") return ["PAYMENTS"];
      if (env.paymentsFrom === "environment")
        return ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
      return env.webhookSecret === null ? [] : ["STRIPE_WEBHOOK_SECRET"];
    case "mail":
      return [
        ...(env.mail.smtpUrl === null ? [] : ["SMTP_URL"]),
        ...(env.mail.from === null ? [] : ["MAIL_FROM"]),
        ...(env.mail.ownerEmail === null ? [] : ["OWNER_EMAIL"]),
      ];
    case "twilio":
      return env.twilio === null ? [] : ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"];
    default:
      return [];
  }
}

/** Whether the environment sets all keys of a connection. */
export function isSetByEnvironment(env: Config, name: ConnectionName): boolean {
  if (name === "stripe") return env.paymentsFrom === "environment";
  if (name === "twilio") return env.twilio !== null;
  return name === "mail" && connectionVariables(env, "mail").length === 3;
}

function connectionSource(env: Config, storedKeys: StoredKeys, name: ConnectionName) {
  const variables = connectionVariables(env, name);
  const isSet = name === "mail" ? env.mail.smtpUrl !== null : isSetByEnvironment(env, name);
  const { state } = storedKeys[name];
  const source = isSet
    ? ("environment" as const)
    : state === "set"
      ? ("panel" as const)
      : state === "unreadable"
        ? ("unreadable" as const)
        : ("none" as const);
  return { source, variables };
}

function keyState(row: SecretRow | null, names: Map<string, string>) {
  const isSet = row !== null && row.sealed !== null;
  return {
    version: row?.version ?? 0,
    updatedAt: isSet ? row.updatedAt.toISOString() : null,
    updatedBy: isSet && row.updatedBy !== null ? (names.get(row.updatedBy) ?? null) : null,
    tried: row?.triedAt ? { at: row.triedAt.toISOString(), failure: row.tryFailure } : null,
  };
}

async function readNames({ db }: ShopContext, storedKeys: StoredKeys): Promise<Map<string, string>> {
  const ids = Object.values(storedKeys).flatMap(({ row }) => (row?.updatedBy ? [row.updatedBy] : []));
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function accessCodeState(
  { config, db, now }: ShopContext,
  sessionId: string | null,
): Promise<ConnectionsState["accessCode"]> {
  const [access] = await db.select().from(adminAccess);
  const isCodeSession = and(isNull(adminSessions.personId), gt(adminSessions.expiresAt, now()));
  const [others] = await db
    .select({ sessions: count() })
    .from(adminSessions)
    .where(sessionId === null ? isCodeSession : and(isCodeSession, ne(adminSessions.id, sessionId)));
  return {
    source: config.adminAccessCode !== null ? "environment" : access?.isGenerated ? "generated" : "panel",
    updatedAt: (access?.updatedAt ?? now()).toISOString(),
    sessions: others?.sessions ?? 0,
  };
}

function smtpSecurity({ protocol, searchParams }: URL) {
  if (protocol === "smtps:") return "tls" as const;
  return searchParams.get("ignoreTLS") === "true" ? ("none" as const) : ("starttls" as const);
}

/** "…4242": enough to distinguish keys. Short ones are hidden completely. */
function abbreviateKey(text: string | null | undefined): string | null {
  if (!text) return null;
  return text.length > 8 ? `…${text.slice(-4)}` : "…";
}
