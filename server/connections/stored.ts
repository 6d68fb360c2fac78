import { inArray } from "drizzle-orm";
import * as v from "valibot";
import type { ConnectionName, MailSecurity } from "../../domain/connections/connections.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import type { SecretsKey } from "../platform/process/secrets-key.ts";
import { opened, type SecretRow } from "../settings/secrets.ts";
import { secrets } from "../settings/tables.ts";

const text = v.string();
const orNone = v.nullable(text);

/** What is kept, encrypted, of each connection. */
export const storedForms = {
  stripe: v.object({ secretKey: text, publishableKey: text, webhookSecret: text }),
  mail: v.object({
    server: v.nullable(
      v.object({
        host: text,
        port: v.number(),
        security: v.custom<MailSecurity>((value) => typeof value === "string"),
        user: orNone,
        password: orNone,
      }),
    ),
    from: orNone,
    ownerEmail: orNone,
  }),
  twilio: v.object({ accountSid: text, authToken: text, from: text }),
};
export type StoredValues = { [Name in keyof typeof storedForms]: v.InferOutput<(typeof storedForms)[Name]> };
export type MailServer = NonNullable<StoredValues["mail"]["server"]>;

/** `row`: null where nothing was ever written. `unreadable`: this server lacks the key it was encrypted with. */
export type Stored<T> = { row: SecretRow | null } & (
  | { state: "set"; value: T }
  | { state: "unset" | "unreadable"; value: null }
);
export type StoredConnections = { [Name in ConnectionName]: Stored<StoredValues[Name]> };

/** In clear beside what is encrypted, so that orders of a mode are still known where the keys are gone. */
export const factsSchema = v.object({ mode: v.picklist(["live", "test"]), account: orNone });

export function stripeFacts(row: SecretRow | null): v.InferOutput<typeof factsSchema> | null {
  const parsed = v.safeParse(factsSchema, row?.facts);
  return parsed.success ? parsed.output : null;
}

export async function readStored(db: Db, secretsKey: SecretsKey): Promise<StoredConnections> {
  const names = Object.keys(storedForms);
  const rows = await db.select().from(secrets).where(inArray(secrets.name, names));
  const read = <T>(name: ConnectionName, form: v.GenericSchema<unknown, T>): Stored<T> => {
    const row = rows.find((one) => one.name === name) ?? null;
    const found = row && opened(secretsKey, row);
    if (found === null || found.state === "unset") return { state: "unset", value: null, row };
    const value = found.state === "set" ? parsedAs(form, found.value) : null;
    return value === null ? { state: "unreadable", value: null, row } : { state: "set", value, row };
  };
  return {
    stripe: read("stripe", storedForms.stripe),
    mail: read("mail", storedForms.mail),
    twilio: read("twilio", storedForms.twilio),
  };
}

function parsedAs<T>(schema: v.GenericSchema<unknown, T>, json: string): T | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(json));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** What the shop works with: the environment, and what the panel has where the environment says nothing. */
export function withStored(env: Config, stored: StoredConnections): Config {
  const { mail, twilio } = stored;
  return {
    ...env,
    ...paymentsWith(env, stored.stripe),
    mail: {
      ...env.mail,
      smtpUrl: env.mail.smtpUrl ?? smtpUrl(mail.value?.server ?? null),
      from: env.mail.from ?? mail.value?.from ?? null,
      ownerEmail: env.mail.ownerEmail ?? mail.value?.ownerEmail ?? null,
    },
    twilio: env.twilio ?? (twilio.value && { ...twilio.value, apiBase: env.apiBases.twilio }),
  };
}

function paymentsWith(
  env: Config,
  { value, row }: StoredConnections["stripe"],
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
  // Keys that cannot be read, or that were for real money: nobody buys for nothing because they are gone.
  const wasReal = row !== null && (row.sealed !== null || stripeFacts(row)?.mode === "live");
  return { payments: wasReal ? "stripe" : payments, stripe: null, webhookSecret };
}

/** What a key of Stripe's is for, secret or publishable. */
export function modeOf(key: string): "live" | "test" {
  return /^[srp]k_live_/.test(key) ? "live" : "test";
}

/** The mode of orders that are placed while there are no keys: that of the last ones. */
export function modeWithoutKeys(stored: StoredConnections): PaymentMode {
  return stripeFacts(stored.stripe.row)?.mode ?? "live";
}

export function smtpUrl(server: MailServer | null): string | null {
  if (server === null) return null;
  const { host, port, security, user, password } = server;
  const who = user === null ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`;
  const demand = security === "starttls" ? "?requireTLS=true" : security === "none" ? "?ignoreTLS=true" : "";
  return `${security === "tls" ? "smtps" : "smtp"}://${who}${host.includes(":") ? `[${host}]` : host}:${port}/${demand}`;
}
