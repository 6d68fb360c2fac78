import { setTimeout as sleep } from "node:timers/promises";
import { Stripe } from "stripe";
import type { Config } from "../../platform/config.ts";
import { apiVersion, sdkHost } from "./provider.ts";

type KeyTestResult =
  | { ok: true; account: string | null }
  | { ok: false; field: "secretKey" | "publishableKey" | null; isUnreachable: boolean; message: string };

/** A short timeout without retries, because the owner waits for the response. It restarts with each byte that arrives. */
const options = { timeout: 8_000, maxNetworkRetries: 0 };
/** Time limit (ms) for all calls together, however slowly their responses arrive. */
const allCallsMs = 20_000;

const unreachable = {
  ok: false,
  field: null,
  isUnreachable: true,
  message: "Stripe could not be reached",
} as const;

type Keys = Pick<NonNullable<Config["stripe"]>, "secretKey" | "publishableKey" | "apiBase">;

/**
 * Tests the keys at Stripe without changing any data: the secret key must be able to read payments, and the publishable key must
 * belong to the same account. The webhook's secret cannot be tested before the first event.
 */
export function tryStripeKeys(keys: Keys, timeoutMs = allCallsMs): Promise<KeyTestResult> {
  return Promise.race([testKeys(keys), sleep(timeoutMs, unreachable, { ref: false })]);
}

async function testKeys(keys: Keys): Promise<KeyTestResult> {
  const createClient = (key: string) =>
    new Stripe(key, { apiVersion, telemetry: false, ...sdkHost(keys.apiBase) });
  let payment: Stripe.PaymentIntent | undefined;
  let account: string | null = null;
  const secret = createClient(keys.secretKey);
  try {
    [payment] = (await secret.paymentIntents.list({ limit: 1 }, options)).data;
    account = await secret.accounts.retrieveCurrent({}, options).then(
      ({ id }) => id,
      // A restricted key need not be allowed to read its account.
      (error: unknown) => {
        if (error instanceof Stripe.errors.StripePermissionError) return null;
        throw error;
      },
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) {
      const message =
        "This restricted key is not allowed to read payments. Give it the rights that the README lists";
      return { ok: false, field: "secretKey", isUnreachable: false, message };
    }
    return keyRefusal(error, "secretKey", "Stripe does not accept this secret key");
  }
  const publishable = createClient(keys.publishableKey);
  const id = payment?.id ?? "pi_palmira_try";
  try {
    await publishable.paymentIntents.retrieve(
      id,
      { client_secret: payment?.client_secret ?? `${id}_secret_try` },
      options,
    );
  } catch (error) {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError;
    // Without a payment in the account only the key's validity can be checked.
    if (isMissing && payment === undefined) return { ok: true, account };
    const message = isMissing
      ? "This publishable key belongs to another account than the secret key"
      : "Stripe does not accept this publishable key";
    return keyRefusal(error, "publishableKey", message);
  }
  return { ok: true, account };
}

function keyRefusal(error: unknown, field: "secretKey" | "publishableKey", message: string): KeyTestResult {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode } = error;
  if (statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500) {
    return unreachable;
  }
  return { ok: false, field, isUnreachable: false, message };
}
