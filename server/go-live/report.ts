import type { CheckState, GoLiveCheck, GoLiveReport } from "../../domain/go-live/go-live.ts";
import type { StripeSetup } from "../payment-providers/stripe/inspect.ts";
import { type Check, type CheckContext, type CheckResult, problem } from "./check.ts";
import { machineChecks } from "./machine-checks.ts";
import { messageChecks } from "./message-checks.ts";
import { paymentChecks, shopDomain } from "./payment-checks.ts";
import { shopChecks } from "./shop-checks.ts";

/** Runs all checks. Never throws: a check that fails to run is a problem. */
export async function runChecks(context: CheckContext): Promise<GoLiveReport> {
  const setup = await inspectStripe(context);
  const date = setup instanceof Error ? null : (setup?.date ?? null);
  const checks = await Promise.all(
    [
      ...paymentChecks(setup),
      ...messageChecks,
      ...shopChecks,
      ...machineChecks(date && { date, seenAt: new Date() }),
    ].map((check) => runCheck(context, check)),
  );
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  return {
    at: context.now().toISOString(),
    checks,
    counts: { ok: count("ok"), warning: count("warning"), problem: count("problem") },
  };
}

async function inspectStripe({ stripe, config }: CheckContext): Promise<StripeSetup | Error | null> {
  try {
    return stripe && (await stripe.inspect(shopDomain({ config })));
  } catch (error) {
    return error instanceof Error ? error : new Error("Stripe could not be asked");
  }
}

async function runCheck(context: CheckContext, { id, group, title, run }: Check): Promise<GoLiveCheck> {
  const result = await runSafely(context, run);
  return { id, group, title, todo: null, link: null, keep: null, ...result };
}

async function runSafely(context: CheckContext, run: Check["run"]): Promise<CheckResult> {
  try {
    return await run(context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The first line only: the message of a failed query continues with its SQL.
    return problem(
      `This could not be checked: ${reason.split("\n")[0]}.`,
      "Run the check again; the log may say more.",
    );
  }
}
