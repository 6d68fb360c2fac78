import type { CheckState, GoLiveCheck, GoLiveReport } from "../../domain/go-live/go-live.ts";
import type { StripeFindings } from "../payments/stripe/inspect.ts";
import { machineChecks } from "./machine-checks.ts";
import { messageChecks } from "./message-checks.ts";
import { type Check, type DoctorParts, type Finding, problem } from "./parts.ts";
import { paymentChecks } from "./payment-checks.ts";
import { shopChecks } from "./shop-checks.ts";

/** Looks at everything that has to be right before a shop takes money. Never throws: what cannot be seen is a problem. */
export async function examine(parts: DoctorParts): Promise<GoLiveReport> {
  const findings = await askStripe(parts);
  const date = findings instanceof Error ? null : (findings?.date ?? null);
  const checks = await Promise.all(
    [
      ...paymentChecks(findings),
      ...messageChecks,
      ...shopChecks,
      ...machineChecks(date && { date, seenAt: new Date() }),
    ].map((check) => run(parts, check)),
  );
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  return {
    at: parts.now().toISOString(),
    checks,
    counts: { ok: count("ok"), warning: count("warning"), problem: count("problem") },
  };
}

async function askStripe({ stripe }: DoctorParts): Promise<StripeFindings | Error | null> {
  try {
    return stripe && (await stripe.inspect());
  } catch (error) {
    return error instanceof Error ? error : new Error("Stripe could not be asked");
  }
}

async function run(parts: DoctorParts, { id, group, title, look }: Check): Promise<GoLiveCheck> {
  const found = await lookSafely(parts, look);
  return { id, group, title, todo: null, link: null, ...found };
}

async function lookSafely(parts: DoctorParts, look: Check["look"]): Promise<Finding> {
  try {
    return await look(parts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The first line: a failed query goes on with what it asked for.
    return problem(
      `This could not be checked: ${reason.split("\n")[0]}.`,
      "Run the check again; the log may say more.",
    );
  }
}
