import { utcText } from "../../domain/backup/backup-text.ts";
import { formatCents } from "../../domain/shared/money.ts";
import type { ShopContext } from "../context.ts";
import { readMoneyCheck } from "../money-check/queries.ts";
import { runMoneyCheck, startMoneyCheck } from "../money-check/start.ts";
import type { PaymentProvider } from "../payment-providers/provider.ts";
import { connectProvider } from "../payment-providers/providers.ts";
import type { Database } from "../platform/database/database.ts";
import { readShopId } from "../settings/installation.ts";

const dayMs = 24 * 60 * 60 * 1000;
const checkedDays = 4;
/** Events of the last minutes may be missing in the backup. */
const marginMs = 15 * 60 * 1000;
const changingCalls = new Set<keyof PaymentProvider>([
  "createIntent",
  "cancelIntent",
  "createSession",
  "expireSession",
  "createRefund",
]);

/**
 * Runs the money check of a restored shop over the days before the backup; returns its findings as messages. A discrepancy is not
 * the backup's fault, because it existed in the shop, too. Changes nothing at the provider.
 */
export async function checkRestoredMoney(ctx: ShopContext, db: Database, takenAt: Date): Promise<string[]> {
  const { provider } = connectProvider({ ...ctx, db }, ctx.metrics, {
    shopId: await readShopId(db),
    mode: ctx.provider.mode,
  });
  await provider.loadAccount();
  const restoredCtx = { ...ctx, db, provider: readOnly(provider), sandbox: null };
  const to = new Date(takenAt.getTime() - marginMs);
  const from = new Date(to.getTime() - checkedDays * dayMs);
  const checkId = await startMoneyCheck(restoredCtx, { from, to, requestedBy: "night" });
  const { signal } = new AbortController();
  await runMoneyCheck(restoredCtx, checkId, { signal, isLastAttempt: true });
  const check = await readMoneyCheck(restoredCtx, checkId);
  if (check?.status !== "done") return [`Money check: not possible now. ${check?.problem ?? ""}`.trim()];
  const sums = `${check.looked} ${check.looked === 1 ? "payment" : "payments"} of the ${checkedDays} days before ${utcText(to.toISOString())}, ${formatCents(check.bookedIn)} in, ${formatCents(check.bookedRefunded)} back`;
  return [
    check.findings === 0
      ? `Money check: ${sums}; the same at ${check.providerName}.`
      : `Money check: ${sums}; ${check.findings} ${check.findings === 1 ? "difference" : "differences"} from ${check.providerName}. The money check of the shop itself tells more.`,
  ];
}

/** A provider for the temporary shop that cannot cancel or refund real payments. */
function readOnly(provider: PaymentProvider): PaymentProvider {
  return new Proxy(provider, {
    get(target, name: keyof PaymentProvider) {
      if (changingCalls.has(name)) {
        return () => Promise.reject(new Error(`${name}: a restored backup is only looked at`));
      }
      const member = target[name];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
