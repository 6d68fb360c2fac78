import { inArray } from "drizzle-orm";
import * as v from "valibot";
import type { ConnectionName, MailSecurity } from "../../domain/connections/connections.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import type { SecretsKey } from "../platform/process/secrets-key.ts";
import { decrypt, type SecretRow } from "../settings/secrets.ts";
import { secrets } from "../settings/tables.ts";

const text = v.string();
const nullableText = v.nullable(text);

/** The values of each connection that are stored encrypted. */
const valueSchemas = {
  stripe: v.object({ secretKey: text, publishableKey: text, webhookSecret: text }),
  mail: v.object({
    server: v.nullable(
      v.object({
        host: text,
        port: v.number(),
        security: v.custom<MailSecurity>((value) => typeof value === "string"),
        user: nullableText,
        password: nullableText,
      }),
    ),
    from: nullableText,
    ownerEmail: nullableText,
  }),
  twilio: v.object({ accountSid: text, authToken: text, from: text }),
  easypost: v.object({ apiKey: text }),
  shippo: v.object({ apiKey: text }),
};
export type StoredValues = {
  [Name in keyof typeof valueSchemas]: v.InferOutput<(typeof valueSchemas)[Name]>;
};
export type MailServer = NonNullable<StoredValues["mail"]["server"]>;

/** `row`: null if none was ever written. `unreadable`: this server lacks the key that encrypted it. */
type StoredValue<T> = { row: SecretRow | null } & (
  | { state: "set"; value: T }
  | { state: "unset" | "unreadable"; value: null }
);
export type StoredKeys = { [Name in ConnectionName]: StoredValue<StoredValues[Name]> };

/** Data about Stripe's keys, stored without encryption, so that the mode of orders is known without the keys. */
const factsSchema = v.object({
  mode: v.picklist(["live", "test"]),
  account: nullableText,
  /** The endpoint that the shop created at Stripe; null if its signing secret was entered by hand. */
  webhook: v.optional(v.nullable(v.object({ id: text, others: v.array(text) })), null),
});
export type StripeFacts = v.InferOutput<typeof factsSchema>;

export function stripeFacts(row: SecretRow | null): StripeFacts | null {
  const parsed = v.safeParse(factsSchema, row?.facts);
  return parsed.success ? parsed.output : null;
}

const carrierFactsSchema = v.object({ hasWebhook: v.boolean() });

export function carrierFacts(row: SecretRow | null): v.InferOutput<typeof carrierFactsSchema> {
  const parsed = v.safeParse(carrierFactsSchema, row?.facts);
  return parsed.success ? parsed.output : { hasWebhook: false };
}

export async function readStoredKeys(db: Db, secretsKey: SecretsKey): Promise<StoredKeys> {
  const names = Object.keys(valueSchemas);
  const rows = await db.select().from(secrets).where(inArray(secrets.name, names));
  const read = <T>(name: ConnectionName, schema: v.GenericSchema<unknown, T>): StoredValue<T> => {
    const row = rows.find((secretRow) => secretRow.name === name) ?? null;
    const secret = row && decrypt(secretsKey, row);
    if (secret === null || secret.state === "unset") return { state: "unset", value: null, row };
    const value = secret.state === "set" ? parseJson(schema, secret.value) : null;
    return value === null ? { state: "unreadable", value: null, row } : { state: "set", value, row };
  };
  return {
    stripe: read("stripe", valueSchemas.stripe),
    mail: read("mail", valueSchemas.mail),
    twilio: read("twilio", valueSchemas.twilio),
    easypost: read("easypost", valueSchemas.easypost),
    shippo: read("shippo", valueSchemas.shippo),
  };
}

function parseJson<T>(schema: v.GenericSchema<unknown, T>, json: string): T | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(json));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** The configuration in use: variables of the environment, and values of the panel where a variable is missing. */
export function configWithStoredKeys(env: Config, storedKeys: StoredKeys): Config {
  const { mail, twilio, easypost, shippo } = storedKeys;
  return {
    ...env,
    ...paymentsWith(env, storedKeys.stripe),
    mail: {
      ...env.mail,
      smtpUrl: env.mail.smtpUrl ?? smtpUrl(mail.value?.server ?? null),
      from: env.mail.from ?? mail.value?.from ?? null,
      ownerEmail: env.mail.ownerEmail ?? mail.value?.ownerEmail ?? null,
    },
    twilio: env.twilio ?? (twilio.value && { ...twilio.value, apiBase: env.apiBases.twilio }),
    labelKeys: { easypost: easypost.value?.apiKey ?? null, shippo: shippo.value?.apiKey ?? null },
  };
}

function paymentsWith(
  env: Config,
  { value, row }: StoredKeys["stripe"],
): Pick<Config, "payments" | "stripe" | "webhookSecret"> {
  const { payments, stripe, webhookSecret } = env;
  if (env.paymentsFrom === "environment") return { payments, stripe, webhookSecret };
  if (value) {
    const keys = {
      ...value,
      webhookSecret: webhookSecret ?? value.webhookSecret,
      apiBase: env.apiBases.stripe,
    };
    return { payments: "stripe", stripe: keys, webhookSecret: keys.webhookSecret };
  }
  // After live keys, or with unreadable ones, the sandbox stays off: otherwise orders could be placed without payment.
  const isSandboxOff = row !== null && (row.sealed !== null || stripeFacts(row)?.mode === "live");
  return { payments: isSandboxOff ? "stripe" : payments, stripe: null, webhookSecret };
}

export function keyMode(key: string): "live" | "test" {
  return /^[srp]k_live_/.test(key) ? "live" : "test";
}

/** Mode of orders placed without keys: that of the last keys. */
export function modeWithoutKeys({ stripe }: StoredKeys): PaymentMode {
  return stripeFacts(stripe.row)?.mode ?? "live";
}

export function smtpUrl(server: MailServer | null): string | null {
  if (server === null) return null;
  const { host, port, security, user, password } = server;
  const credentials =
    user === null ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`;
  const tlsQuery =
    security === "starttls" ? "?requireTLS=true" : security === "none" ? "?ignoreTLS=true" : "";
  return `${security === "tls" ? "smtps" : "smtp"}://${credentials}${host.includes(":") ? `[${host}]` : host}:${port}/${tlsQuery}`;
}
