import { timingSafeEqual } from "node:crypto";
import type { Config } from "../platform/config.ts";
import { isLoopback } from "../platform/http/client-address.ts";

/** Whether a caller may read /metrics: from this machine, or with the token. */
export function mayReadMetrics(
  config: Pick<Config, "metricsToken" | "trustProxy">,
  caller: { address: string; forwardedFor: string | null; authorization: string | null },
): boolean {
  // An undeclared proxy on this machine makes every caller look local.
  const isLocal =
    isLoopback(caller.address) && (config.trustProxy.length > 0 || caller.forwardedFor === null);
  return isLocal || (config.metricsToken !== null && isBearer(config.metricsToken, caller.authorization));
}

function isBearer(token: string, authorization: string | null): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(authorization ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
