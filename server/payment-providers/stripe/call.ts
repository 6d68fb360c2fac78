import type { Logger } from "pino";
import { Stripe } from "stripe";
import { withSpan } from "../../platform/process/tracing.ts";
import { ProviderBusy, ProviderFailed, ProviderRefused, ProviderUnavailable } from "../provider.ts";

type Timeouts = { timeout: number; maxNetworkRetries: number };

/**
 * For calls that a shopper waits for. There are no retries, so that a hanging provider is detected within seconds. The SDK still
 * retries once if the connection is closed; the deadline covers both attempts.
 */
const shopperTimeouts: Timeouts = { timeout: 5_000, maxNetworkRetries: 0 };
/** Timeouts for a caller that knows how long it can wait. */
export const callTimeouts = (timeoutMs = shopperTimeouts.timeout): Timeouts => ({
  ...shopperTimeouts,
  timeout: timeoutMs,
});
/** For jobs, which no shopper waits for. */
export const jobTimeouts: Timeouts = { timeout: 10_000, maxNetworkRetries: 1 };
/** For uploads of files of several megabytes. */
export const uploadTimeouts: Timeouts = { timeout: 40_000, maxNetworkRetries: 1 };
export const pingTimeouts: Timeouts = { timeout: 3_000, maxNetworkRetries: 0 };

/** Receives every call to the provider; `outcome` is `ok`, `refused` or `unavailable`. */
export type Observe = (operation: string, seconds: number, outcome: string) => void;

export type Call = <T>(
  operation: string,
  timeouts: Timeouts,
  request: (options: Timeouts) => Promise<T>,
) => Promise<T>;

/** Wraps calls of the SDK: limits their time, and turns its errors into ProviderUnavailable or ProviderRefused. */
export function createCall(log: Logger, observe: Observe | undefined): Call {
  return async (operation, timeouts, request) => {
    const startedAt = performance.now();
    const report = (outcome: string) => observe?.(operation, (performance.now() - startedAt) / 1000, outcome);
    try {
      const response = await withSpan(`stripe ${operation}`, {}, () =>
        withinDeadline(request(timeouts), deadlineMs(timeouts)),
      );
      report("ok");
      return response;
    } catch (error) {
      const providerError = toProviderError(error);
      if (providerError instanceof ProviderRefused) report("refused");
      if (providerError instanceof ProviderUnavailable) {
        report("unavailable");
        log.warn({ operation, ...errorTrace(error) }, providerError.message);
      }
      throw providerError;
    }
  };
}

/** The whole call's deadline. Unlike the SDK's timeout, it does not restart with each byte and each attempt. */
function deadlineMs({ timeout, maxNetworkRetries }: Timeouts): number {
  return (timeout + 1_000) * (maxNetworkRetries + 1);
}

async function withinDeadline<T>(response: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderBusy("Stripe did not answer in time")), milliseconds);
  });
  try {
    return await Promise.race([response, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Translates an SDK error to one of the shop's errors; any other error is a bug and is returned unchanged. */
function toProviderError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { statusCode } = error;
  // A revoked key does not mean that the payment was refused: the provider is unavailable until the key is replaced.
  if (statusCode === 401 || statusCode === 403) {
    return new ProviderUnavailable("Stripe does not accept the secret key");
  }
  if (statusCode === 409 || isTimeout(error)) {
    return new ProviderBusy("Stripe is still processing this call", { cause: error });
  }
  // Without a status, there was no response, or it could not be read.
  if (statusCode === undefined || statusCode === 429) {
    return new ProviderUnavailable("Stripe could not be reached", { cause: error });
  }
  if (statusCode >= 500) return new ProviderFailed("Stripe failed on its side", { cause: error });
  return new ProviderRefused(error.code ?? error.rawType ?? error.type, error.message);
}

/**
 * A `Call` that reports a missing permission of a restricted key as `ProviderRefused` with the code `forbidden`; the original one
 * mistakes it for a wrong key.
 */
export function refusingForbidden(call: Call): Call {
  return (operation, timeouts, request) =>
    call(operation, timeouts, async (options) => {
      try {
        return await request(options);
      } catch (error) {
        if (error instanceof Stripe.errors.StripePermissionError) {
          throw new ProviderRefused("forbidden", error.message);
        }
        throw error;
      }
    });
}

function isTimeout({ detail }: Stripe.errors.StripeError): boolean {
  return typeof detail === "object" && "code" in detail && detail.code === "ETIMEDOUT";
}

/** Log fields by which the call can be found in Stripe's dashboard, without any content of request or response. */
function errorTrace(error: unknown): object {
  if (!(error instanceof Stripe.errors.StripeError)) return {};
  const { type, code, statusCode, requestId } = error;
  return { type, code, statusCode, requestId };
}
