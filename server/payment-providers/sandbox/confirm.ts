import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database/database.ts";
import { sandboxIntents } from "../tables.ts";
import { judgeCard, type SandboxCard } from "./cards.ts";
import type { Delivery } from "./delivery.ts";
import { attemptPayment, findIntent, isSecret, sandboxAttemptsMax } from "./intents.ts";

export type Confirmation = {
  intentId: string;
  clientSecret: string;
  card: SandboxCard;
  /** Result of the bank's authentication, if it was required. */
  authentication?: "pass" | "fail";
};

export type ConfirmResult =
  | { ok: true; status: "succeeded" | "requires_action" }
  | { ok: false; reason: "declined"; code: string; message: string }
  | { ok: false; reason: "closed"; message: string }
  | { ok: false; reason: "not_found" };

/** Pays with a test card. Concurrent calls charge once; a paid intent stays paid. */
export async function confirmPayment(
  db: Database,
  delivery: Delivery,
  { intentId, clientSecret, card, authentication }: Confirmation,
): Promise<ConfirmResult> {
  const verdict = judgeCard(card, authentication, new Date());
  if (verdict.outcome !== "invalid") {
    const { intent, events } = await attemptPayment(db, { intentId, clientSecret, attempt: verdict });
    delivery.send(events);
    if (intent && verdict.outcome === "declined") return declined(verdict);
    if (intent) return { ok: true, status: verdict.outcome === "succeeds" ? "succeeded" : "requires_action" };
  }

  const intent = await findIntent(db, and(eq(sandboxIntents.id, intentId), isSecret(clientSecret)));
  if (!intent) return { ok: false, reason: "not_found" };
  if (intent.status === "succeeded") return { ok: true, status: "succeeded" };
  // Before the cancellation, with which the shop answers too many attempts.
  if (intent.failedAttempts >= sandboxAttemptsMax)
    return closed("This payment was closed after too many tries.");
  if (intent.status === "canceled") return closed("This payment was cancelled.");
  return verdict.outcome === "invalid" ? declined(verdict) : closed("The time to pay is over.");
}

function declined({ code, message }: { code: string; message: string }): ConfirmResult {
  return { ok: false, reason: "declined", code, message };
}

function closed(message: string): ConfirmResult {
  return { ok: false, reason: "closed", message };
}
