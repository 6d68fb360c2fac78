import * as v from "valibot";
import { accessCodeLength } from "../admin/admin.ts";
import { labelProviders } from "../labels/labels.ts";
import { wholeNumber } from "../shared/number-fields.ts";
import { withoutSpaces } from "../shared/required-text.ts";

/** The services whose keys can be entered in the panel. */
export const connectionNames = ["stripe", "mail", "twilio", ...labelProviders] as const;
export type ConnectionName = (typeof connectionNames)[number];

export const connectionTitles: Record<ConnectionName, string> = {
  stripe: "Stripe",
  mail: "Mail server",
  twilio: "Twilio",
  easypost: "EasyPost",
  shippo: "Shippo",
};

const mailSecurities = ["tls", "starttls", "none"] as const;
export type MailSecurity = (typeof mailSecurities)[number];

const version = v.pipe(v.number(), v.integer(), v.minValue(0));
/** If empty, the stored one is kept. */
const secret = withoutSpaces(500);

const saveOptions = {
  /** The version that the caller has seen, so that another person's change is not overwritten. */
  version,
  /** Stores keys even if the service cannot be reached. */
  untested: v.optional(v.boolean(), false),
};

export const stripeFormSchema = v.object({
  ...saveOptions,
  publishableKey: v.pipe(withoutSpaces(500), v.regex(/^(pk_.+)?$/, "A publishable key starts with pk_")),
  secretKey: v.pipe(
    secret,
    v.regex(/^([sr]k_.+)?$/, "A secret key starts with sk_, a restricted one with rk_"),
  ),
  /** If empty and none is stored, the shop creates the webhook at Stripe, provided that its own URL is https. */
  webhookSecret: v.pipe(secret, v.regex(/^(whsec_.+)?$/, "A signing secret starts with whsec_")),
  /** Confirms that the keys belong to another account or mode than before. */
  otherAccount: v.optional(v.boolean(), false),
});

/** A host name, or an IPv4 or IPv6 address, by the rules of URLs. */
function isHost(host: string): boolean {
  return /^[\w.:-]*$/.test(host) && URL.canParse(`https://${host.includes(":") ? `[${host}]` : host}`);
}

const mailboxMessage = "Must be an email address, or a name and one in angle brackets";
/** `ada@example.com` or `Ada <ada@example.com>`; may be empty. */
const mailbox = v.pipe(
  v.string("Must be text"),
  v.trim(),
  v.maxLength(200, "Too long"),
  v.regex(/^([^<>@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)?$/u, mailboxMessage),
);

export const mailFormSchema = v.object({
  ...saveOptions,
  host: v.pipe(
    withoutSpaces(253),
    v.check(
      (host) => host === "" || isHost(host),
      "Enter only the server’s name, such as smtp.example.com; the port has its own field",
    ),
  ),
  port: wholeNumber(1, "Must be from 1 to 65535", 65535, "Must be from 1 to 65535"),
  security: v.picklist(mailSecurities),
  /** If user and password are both empty, the stored ones are kept. */
  user: withoutSpaces(300),
  password: v.pipe(v.string("Must be text"), v.maxLength(500, "Too long")),
  /** The server accepts mail from this machine without a sign-in. */
  isAnonymous: v.optional(v.boolean(), false),
  from: mailbox,
  ownerEmail: mailbox,
});

/** Settings of the reports of bounces and complaints by the mail provider. */
export const mailReportsFormSchema = v.object({
  /** Replaces the secret URL; reports sent to the former one are lost. */
  isNewAddress: v.optional(v.boolean(), false),
  mailgunKey: secret,
  removesMailgunKey: v.optional(v.boolean(), false),
});

export const twilioFormSchema = v.object({
  ...saveOptions,
  accountSid: v.pipe(
    withoutSpaces(40),
    v.regex(/^AC[0-9a-fA-F]{32}$/, "An account SID is AC and 32 digits or letters from a to f"),
  ),
  authToken: secret,
  from: v.pipe(
    withoutSpaces(40),
    v.regex(
      /^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32})$/,
      "Must be a number like +15550100, or a messaging service (MG...)",
    ),
  ),
});

const carrierForm = (key: v.RegexAction<string, string>) =>
  v.object({ ...saveOptions, apiKey: v.pipe(secret, key) });
/** API keys of the services that sell labels. */
export const carrierFormSchemas = {
  easypost: carrierForm(
    v.regex(/^(EZ[AT]K.+)?$/, "An API key of EasyPost starts with EZAK, a test key with EZTK"),
  ),
  shippo: carrierForm(
    v.regex(
      /^(shippo_(live|test)_.+)?$/,
      "A token of Shippo starts with shippo_live_, a test token with shippo_test_",
    ),
  ),
};

/** The version of Stripe's keys that the caller has seen. */
export const webhookFormSchema = v.object({ version });

export const accessCodeFormSchema = v.object({
  code: v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(accessCodeLength.min, `Must have ${accessCodeLength.min} characters or more`),
    v.maxLength(accessCodeLength.max, `Must have ${accessCodeLength.max} characters or fewer`),
  ),
  /** Ends all other sessions, not only those opened by the code. */
  everybody: v.optional(v.boolean(), false),
});

const nullableText = v.nullable(v.string());
const state = {
  /** Source of the keys in use. `unreadable`: stored, but this server lacks the key to decrypt them. */
  source: v.picklist(["environment", "panel", "none", "unreadable"]),
  /** Environment variables that are set; they take precedence and cannot be changed in the panel. */
  variables: v.array(v.string()),
  version,
  updatedAt: nullableText,
  /** Null for a sign-in with the access code. */
  updatedBy: nullableText,
  /** The last test; `failure` null if it succeeded. */
  tried: v.nullable(v.object({ at: v.string(), failure: nullableText })),
};

const carrierState = v.object({
  ...state,
  apiKey: nullableText,
  mode: v.nullable(v.picklist(["live", "test"])),
  /** Whether it reports parcels by webhook; otherwise the shop polls for them. */
  hasWebhook: v.boolean(),
});

/** API keys are shortened to their last characters. The only secret is `reportsUrl`, which the owner enters elsewhere. */
export const connectionsSchema = v.object({
  key: v.object({
    from: v.nullable(v.picklist(["SECRETS_KEY", "DATA_DIR"])),
    id: nullableText,
    problem: nullableText,
    /** The database is on another machine, so there may be other servers. */
    mayHaveOtherServers: v.boolean(),
  }),
  stripe: v.object({
    ...state,
    /** `sandbox`: simulated; null if there are no card payments. */
    mode: v.nullable(v.picklist(["live", "test", "sandbox"])),
    publishableKey: nullableText,
    account: nullableText,
    webhookUrl: v.string(),
    /**
     * The webhook endpoint that the shop created at Stripe, and ids of other endpoints with the same URL; null if the
     * signing secret was entered by hand.
     */
    webhook: v.nullable(v.object({ id: v.string(), others: v.array(v.string()) })),
  }),
  mail: v.object({
    ...state,
    host: nullableText,
    port: v.nullable(v.number()),
    security: v.nullable(v.picklist(mailSecurities)),
    user: nullableText,
    from: nullableText,
    ownerEmail: nullableText,
    /**
     * Where the mail provider reports bounces and complaints; secret. Null if this server has no secrets key, or it was
     * encrypted with another one.
     */
    reportsUrl: nullableText,
    /** Whether only reports signed with Mailgun's key are accepted. */
    hasMailgunKey: v.boolean(),
  }),
  twilio: v.object({ ...state, accountSid: nullableText, from: nullableText }),
  easypost: carrierState,
  shippo: carrierState,
  accessCode: v.object({
    source: v.picklist(["environment", "panel", "generated"]),
    updatedAt: v.string(),
    /** Other open sessions that were opened by the code. */
    sessions: v.number(),
  }),
});
export type ConnectionsState = v.InferOutput<typeof connectionsSchema>;
