import { isDeepStrictEqual } from "node:util";
import { type Mailer, openMailer } from "../outbox/smtp.ts";
import { createTwilio, type TextSender } from "../outbox/twilio.ts";
import type { PaymentProvider } from "../payment-providers/provider.ts";
import { connectProvider } from "../payment-providers/providers.ts";
import type { SandboxProvider } from "../payment-providers/sandbox/provider.ts";
import type { BaseContext, ShopInput } from "../platform/base-context.ts";
import { cachedFor } from "../platform/cached-for.ts";
import type { Config } from "../platform/config.ts";
import type { Metrics } from "../platform/metrics.ts";
import { readShopId } from "../settings/installation.ts";
import { modeWithoutKeys, readStored, type StoredConnections, stripeFacts, withStored } from "./stored.ts";

/** What the shop works with now. */
export type InUse = {
  /** The environment's, and the panel's where that says nothing. */
  config: Config;
  provider: PaymentProvider;
  isProviderReachable(): Promise<boolean>;
  sandbox: SandboxProvider | null;
  mailer: Mailer | null;
  textSender: TextSender | null;
};

export type Connections = {
  /** What the environment alone says. */
  environment: Config;
  inUse(): InUse;
  /** What this server has read of the panel's keys. */
  stored(): StoredConnections;
  /** Reads what is stored and takes it in use; also done whenever the database tells of a change. */
  refresh(): Promise<void>;
  /** Whether payments are simulated unless the panel has keys. */
  mayBeSandbox: boolean;
  /** Where the sandbox posts its events, whenever there is one. */
  deliverTo: SandboxProvider["deliverTo"];
  close(): void;
};

const providerPingMs = 30_000;
/** What is being sent through a replaced mail server is given this time. */
const lastMailMs = 90_000;

/** The services that the shop speaks to, by keys of the environment or of the panel, which may change at any time. */
export async function openConnections(
  input: ShopInput & Pick<BaseContext, "changes" | "secretsKey">,
  metrics: Metrics,
): Promise<Connections> {
  const { changes, config: environment, db, health, log, now, secretsKey } = input;
  const shopId = await readShopId(db);
  const { publicUrl } = environment;
  let stored = await readStored(db, secretsKey);
  let deliver: Parameters<SandboxProvider["deliverTo"]>[0] | null = null;
  let refreshing: Promise<void> = Promise.resolve();

  const paymentsOf = (config: Config) => {
    const mode = modeWithoutKeys(stored);
    const isOurs = environment.paymentsFrom === "panel";
    const account = isOurs ? (stripeFacts(stored.stripe.row)?.account ?? null) : null;
    const connected = connectProvider({ ...input, config }, metrics, { shopId, mode, account });
    if (deliver) connected.sandbox?.deliverTo(deliver);
    const { provider } = connected;
    return { ...connected, isProviderReachable: cachedFor(providerPingMs, now, () => provider.ping()) };
  };
  const mailerOf = ({ mail }: Config) =>
    mail.smtpUrl === null ? null : openMailer({ ...mail, smtpUrl: mail.smtpUrl, publicUrl });
  const open = (config: Config): InUse => ({
    config,
    ...paymentsOf(config),
    mailer: mailerOf(config),
    textSender: config.twilio && createTwilio(config.twilio),
  });
  let current = open(withStored(environment, stored));
  tellOfUnreadable();

  function tellOfUnreadable(): void {
    const names = Object.entries(stored).flatMap(([name, { state }]) =>
      state === "unreadable" ? [name] : [],
    );
    const reason = names.length === 0 ? null : `cannot be read with this server's key: ${names.join(", ")}`;
    if (reason !== null && health.reasonOf("keys") === null) log.error(`stored keys: ${reason}`);
    health.report("keys", reason, { sells: true });
  }

  async function read(): Promise<void> {
    const found = await readStored(db, secretsKey);
    stored = {
      stripe: keptIfSealedAnew(found.stripe, stored.stripe),
      mail: keptIfSealedAnew(found.mail, stored.mail),
      twilio: keptIfSealedAnew(found.twilio, stored.twilio),
    };
    tellOfUnreadable();
    const config = withStored(environment, stored);
    const before = current;
    const isSame = (...parts: (keyof Config)[]) =>
      parts.every((part) => isDeepStrictEqual(config[part], before.config[part]));
    const paying = isSame("payments", "stripe", "webhookSecret") ? null : paymentsOf(config);
    const isMailSame = isSame("mail");
    if (paying) {
      void before.sandbox?.drain();
      // Before it is used: what it says of an older payment depends on it. It waits for nobody who is away.
      await paying.provider.learnAccount();
    }
    current = {
      ...before,
      ...paying,
      config,
      ...(isMailSame ? {} : { mailer: mailerOf(config) }),
      ...(isSame("twilio") ? {} : { textSender: config.twilio && createTwilio(config.twilio) }),
    };
    if (!isMailSame) setTimeout(() => before.mailer?.close(), lastMailMs).unref();
    if (paying || !isMailSame || !isSame("twilio")) {
      log.info("changed keys are in use");
      changes.announce("connections");
    }
  }

  const refresh = () => {
    refreshing = refreshing.catch(() => undefined).then(read);
    return refreshing;
  };
  changes.watch("secrets", refresh);
  return {
    environment,
    inUse: () => current,
    stored: () => stored,
    refresh,
    mayBeSandbox: environment.payments === "sandbox",
    deliverTo(post) {
      deliver = post;
      current.sandbox?.deliverTo(post);
    },
    close() {
      current.mailer?.close();
    },
  };
}

/** Another server encrypted it anew with a key that this one does not have (yet): it is what is in use already. */
function keptIfSealedAnew<T extends StoredConnections[keyof StoredConnections]>(found: T, kept: T): T {
  const isSame = kept.state === "set" && found.row?.version === kept.row?.version;
  return found.state === "unreadable" && isSame ? kept : found;
}
