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
import {
  configWithStoredKeys,
  modeWithoutKeys,
  readStoredKeys,
  type StoredKeys,
  stripeFacts,
} from "./stored-keys.ts";

type CurrentConnections = {
  /** Environment variables, and values entered in the panel where a variable is missing. */
  config: Config;
  provider: PaymentProvider;
  isProviderReachable(): Promise<boolean>;
  sandbox: SandboxProvider | null;
  mailer: Mailer | null;
  textSender: TextSender | null;
};

export type Connections = {
  /** The configuration without values from the panel. */
  environment: Config;
  current(): CurrentConnections;
  /** The panel's keys as this server last read them. */
  storedKeys(): StoredKeys;
  /** Reads and applies the stored keys; also called on each notification of the change feed. */
  refresh(): Promise<void>;
  /** Whether payments are simulated as long as the panel has no keys. */
  mayBeSandbox: boolean;
  /** Sets where the sandbox posts its events. */
  deliverTo: SandboxProvider["deliverTo"];
  close(): void;
};

const providerPingMs = 30_000;
/** Time until a replaced mailer is closed, for the e-mails that it is sending. */
const mailerGraceMs = 90_000;

/** Clients of the services that the shop uses. They are replaced when the keys in the panel change. */
export async function openConnections(
  input: ShopInput & Pick<BaseContext, "changes" | "secretsKey">,
  metrics: Metrics,
): Promise<Connections> {
  const { changes, config: environment, db, health, log, now, secretsKey } = input;
  const shopId = await readShopId(db);
  const { publicUrl } = environment;
  let storedKeys = await readStoredKeys(db, secretsKey);
  let deliver: Parameters<SandboxProvider["deliverTo"]>[0] | null = null;
  let lastRefresh: Promise<void> = Promise.resolve();

  const connectPayments = (config: Config) => {
    const mode = modeWithoutKeys(storedKeys);
    const areKeysFromPanel = environment.paymentsFrom === "panel";
    const account = areKeysFromPanel ? (stripeFacts(storedKeys.stripe.row)?.account ?? null) : null;
    const payments = connectProvider({ ...input, config }, metrics, { shopId, mode, account });
    if (deliver) payments.sandbox?.deliverTo(deliver);
    const { provider } = payments;
    return { ...payments, isProviderReachable: cachedFor(providerPingMs, now, () => provider.ping()) };
  };
  const createMailer = ({ mail }: Config) =>
    mail.smtpUrl === null ? null : openMailer({ ...mail, smtpUrl: mail.smtpUrl, publicUrl });
  const open = (config: Config): CurrentConnections => ({
    config,
    ...connectPayments(config),
    mailer: createMailer(config),
    textSender: config.twilio && createTwilio(config.twilio),
  });
  let current = open(configWithStoredKeys(environment, storedKeys));
  reportUnreadable();

  function reportUnreadable(): void {
    const names = Object.entries(storedKeys).flatMap(([name, { state }]) =>
      state === "unreadable" ? [name] : [],
    );
    const reason = names.length === 0 ? null : `cannot be read with this server’s key: ${names.join(", ")}`;
    if (reason !== null && health.failureReason("keys") === null) log.error(`stored keys: ${reason}`);
    health.report("keys", reason, { canSell: true });
  }

  async function applyStoredKeys(): Promise<void> {
    const latest = await readStoredKeys(db, secretsKey);
    storedKeys = {
      stripe: preferReadable(latest.stripe, storedKeys.stripe),
      mail: preferReadable(latest.mail, storedKeys.mail),
      twilio: preferReadable(latest.twilio, storedKeys.twilio),
      easypost: preferReadable(latest.easypost, storedKeys.easypost),
      shippo: preferReadable(latest.shippo, storedKeys.shippo),
    };
    reportUnreadable();
    const config = configWithStoredKeys(environment, storedKeys);
    const previous = current;
    const isSame = (...parts: (keyof Config)[]) =>
      parts.every((part) => isDeepStrictEqual(config[part], previous.config[part]));
    const payment = isSame("payments", "stripe", "webhookSecret") ? null : connectPayments(config);
    const isSameMail = isSame("mail");
    if (payment) {
      void previous.sandbox?.drain();
      // Loaded before use: the status of older payments depends on the account. Does not wait for an unreachable provider.
      await payment.provider.loadAccount();
    }
    current = {
      ...previous,
      ...payment,
      config,
      ...(isSameMail ? {} : { mailer: createMailer(config) }),
      ...(isSame("twilio") ? {} : { textSender: config.twilio && createTwilio(config.twilio) }),
    };
    if (!isSameMail) setTimeout(() => previous.mailer?.close(), mailerGraceMs).unref();
    if (payment || !isSameMail || !isSame("twilio", "labelKeys")) {
      log.info("changed keys are in use");
      changes.announce("connections");
    }
  }

  const refresh = () => {
    lastRefresh = lastRefresh.catch(() => undefined).then(applyStoredKeys);
    return lastRefresh;
  };
  changes.watch("secrets", refresh);
  return {
    environment,
    current: () => current,
    storedKeys: () => storedKeys,
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

/** If another server has re-encrypted the same version with a key that this one lacks, the value in memory is still valid. */
function preferReadable<T extends StoredKeys[keyof StoredKeys]>(latest: T, inMemory: T): T {
  const isSame = inMemory.state === "set" && latest.row?.version === inMemory.row?.version;
  return latest.state === "unreadable" && isSame ? inMemory : latest;
}
