import type { Logger } from "pino";
import { createStripeInspector } from "../payments/stripe/inspect.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/database.ts";
import type { DoctorParts } from "./parts.ts";

/** The go-live check's parts, for the shop and for `npm run doctor`. */
export function doctorParts(parts: { config: Config; db: Database; log: Logger; now(): Date }): DoctorParts {
  const { config, log } = parts;
  const isReal = config.payments === "stripe" && config.stripe !== null;
  return {
    ...parts,
    stripe: isReal && config.stripe ? createStripeInspector({ ...config.stripe, log }) : null,
  };
}
