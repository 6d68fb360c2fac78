import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { MessageKind } from "../../domain/outbox/outbox.ts";
import { e164 } from "../../domain/shared/phone.ts";
import type { ShopContext } from "../context.ts";
import { enqueueMessages } from "./enqueue.ts";
import { holdsSecret, isErasedOnceSent } from "./personal-data.ts";
import { messages } from "./tables.ts";

type Sendable = Pick<typeof messages.$inferSelect, "kind" | "status" | "data">;

/** Kinds composed from the order alone. */
const orderOnlyKinds: MessageKind[] = [
  "order_confirmation",
  "order_confirmation_copy",
  "owner_new_order",
  "order_shipped",
  "order_delivered",
  "review_request",
  "owner_order_text",
];

/** Why a message cannot be sent again; null if it can. */
export function resendProblem({ kind, status, data }: Sendable): string | null {
  if (status === "queued") return "It is on its way already.";
  if (kind === "test_text") return "Send a new test under Notification Settings.";
  if (kind === "refill_reminder") return "A refill is only reminded of once.";
  if (kind === "newsletter") return "A newsletter is sent to each subscriber once.";
  if (kind === "cart_reminder") return "A cart is only reminded of once.";
  if (kind === "stock_alert_confirm") return "The shopper can ask again on the product’s page.";
  if (kind === "newsletter_confirm") return "The shopper can sign up again in the shop.";
  if (kind === "panel_invitation") return "Its link works only once. Make a new one under People.";
  if (holdsSecret(kind)) return "Its link works only once. The shopper can ask for a new one in the shop.";
  if (isErasedOnceSent(kind)) return "It was the last email to somebody whose data is deleted.";
  if (data === null && !orderOnlyKinds.includes(kind)) return "What it was about is no longer stored.";
  return null;
}

type ResendResult =
  | { ok: true; id: string; kind: MessageKind; orderId: string | null }
  | { ok: false; reason: "not_found" }
  | { ok: false; reason: "invalid_state"; message: string };

/**
 * Sends a message again, as a new message with current data; texts go to the owner's current number. Of two simultaneous
 * requests, the second finds the message of the first.
 */
export async function resendMessage({ db, ownerSettings }: ShopContext, id: string): Promise<ResendResult> {
  const { phoneNumber } = (await ownerSettings()).sms;
  const textRecipient = phoneNumber && e164(phoneNumber);
  return db.transaction(async (tx) => {
    const [message] = await tx.select().from(messages).where(eq(messages.id, id)).for("update");
    if (!message) return { ok: false, reason: "not_found" };
    const { kind, orderId, data } = message;
    const isText = message.channel === "sms";
    const problem = resendProblem(message) ?? (isText && textRecipient === null ? noNumberMessage : null);
    if (problem !== null) return { ok: false, reason: "invalid_state", message: problem };
    const queuedCopies = await tx.$count(
      messages,
      and(eq(messages.status, "queued"), eq(messages.copyOf, id)),
    );
    if (queuedCopies > 0)
      return { ok: false, reason: "invalid_state", message: "It is being sent again already." };
    const recipient = isText ? textRecipient : message.recipient;
    const copyId = randomUUID();
    await enqueueMessages(tx, [
      {
        id: copyId,
        // Another kind, because the database allows only one confirmation per order.
        kind: kind === "order_confirmation" ? "order_confirmation_copy" : kind,
        dedupeKey: `copy:${copyId}`,
        copyOf: id,
        orderId,
        ...(recipient === null ? {} : { recipient }),
        ...(data === null ? {} : { data }),
      },
    ]);
    return { ok: true, id: copyId, kind, orderId };
  });
}

const noNumberMessage = "There is no number for texts. Set one under Notification Settings.";
