import { randomUUID } from "node:crypto";
import { e164 } from "../../domain/shared/phone.ts";
import type { ShopContext } from "../context.ts";
import { mailContext, testMail } from "./compose.ts";
import { messages } from "./tables.ts";
import { checkLater } from "./texts.ts";
import { TextRefused } from "./twilio.ts";

export type TestTextSent =
  | { ok: true }
  /** `away`: no answer, or the account is at fault; `refused`: the number is. */
  | { ok: false; reason: "not_configured" | "away" | "refused"; message: string };

/** Sends a test text now, and waits until it is accepted. It stands in Messages > Sent like any other. */
export async function sendTestText(ctx: ShopContext, phoneNumber: string): Promise<TestTextSent> {
  const { db, textSender, now, log } = ctx;
  if (textSender === null) {
    return { ok: false, reason: "not_configured", message: "Twilio is not configured on the server." };
  }
  const id = randomUUID();
  const body = await testMail.test_text(await mailContext(ctx));
  const written = {
    id,
    kind: "test_text",
    channel: "sms",
    dedupeKey: `test_text:${id}`,
    recipient: e164(phoneNumber),
    text: body,
    attempts: 1,
    createdAt: now(),
  } as const;
  try {
    const providerId = await textSender.send({ to: written.recipient, body });
    await db.transaction(async (tx) => {
      const sent = { status: "sent", delivery: "accepted", sentAt: now(), providerId } as const;
      await tx.insert(messages).values({ ...written, ...sent });
      await checkLater(tx, id, 0);
    });
    return { ok: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn({ messageId: id, reason: message }, "test text failed");
    await db.insert(messages).values({ ...written, status: "failed", lastError: message });
    const isNumber = error instanceof TextRefused && error.fault === "number";
    return { ok: false, reason: isNumber ? "refused" : "away", message: `${message}.` };
  }
}
