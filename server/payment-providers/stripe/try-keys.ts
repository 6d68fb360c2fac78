import { Stripe } from "stripe";
import type { Config } from "../../platform/config.ts";
import { address, apiVersion } from "./provider.ts";

type StripeTried =
  | { ok: true; account: string | null }
  | { ok: false; field: "secretKey" | "publishableKey" | null; isUnreachable: boolean; message: string };

/** The owner waits for the answer and Stripe may hang: a short timeout without retries. */
const options = { timeout: 8_000, maxNetworkRetries: 0 };

/**
 * Tests the keys at Stripe: the secret key must be able to read payments, the publishable one must belong to the same
 * account. Changes no data there. The webhook's secret cannot be tested before the first event.
 */
export async function tryStripeKeys(
  keys: Pick<NonNullable<Config["stripe"]>, "secretKey" | "publishableKey" | "apiBase">,
): Promise<StripeTried> {
  const open = (key: string) => new Stripe(key, { apiVersion, telemetry: false, ...address(keys.apiBase) });
  let paid: Stripe.PaymentIntent | undefined;
  let account: string | null = null;
  const secret = open(keys.secretKey);
  try {
    [paid] = (await secret.paymentIntents.list({ limit: 1 }, options)).data;
    account = await secret.accounts.retrieveCurrent({}, options).then(
      ({ id }) => id,
      // A restricted key need not read it.
      (error: unknown) => {
        if (error instanceof Stripe.errors.StripePermissionError) return null;
        throw error;
      },
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) {
      const message = "This restricted key may not read payments. Give it the rights that the README lists";
      return { ok: false, field: "secretKey", isUnreachable: false, message };
    }
    return refused(error, "secretKey", "Stripe does not accept this secret key");
  }
  const publishable = open(keys.publishableKey);
  const id = paid?.id ?? "pi_palmira_try";
  try {
    await publishable.paymentIntents.retrieve(
      id,
      { client_secret: paid?.client_secret ?? `${id}_secret_try` },
      options,
    );
  } catch (error) {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError;
    // Without a payment in the account only the key's validity can be checked.
    if (isMissing && paid === undefined) return { ok: true, account };
    const message = isMissing
      ? "This publishable key belongs to another account than the secret key"
      : "Stripe does not accept this publishable key";
    return refused(error, "publishableKey", message);
  }
  return { ok: true, account };
}

function refused(error: unknown, field: "secretKey" | "publishableKey", message: string): StripeTried {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode } = error;
  if (statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500) {
    return { ok: false, field: null, isUnreachable: true, message: "Stripe could not be reached" };
  }
  return { ok: false, field, isUnreachable: false, message };
}
