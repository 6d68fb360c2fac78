import { and, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import { readMailOrder, toBuyer } from "../orders/mail.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { messages } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { refunds } from "./tables.ts";

/** Notifies the buyer of a succeeded refund, once per refund. */
export async function enqueueRefunded(
  tx: Db,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "refund_sent", dedupeKey: `refund_sent:${refundId}`, orderId, data: { refundId } },
  ]);
}

/** `path`: address of the panel's page about the issue, relative to the panel; the order's page or the overview by default. */
const issueData = v.object({
  message: v.string(),
  url: v.optional(v.string()),
  path: v.optional(v.string()),
});

const refundData = v.object({ refundId: v.string() });

export const paymentsMail = {
  refund_sent: toBuyer(async ({ db }, order, message) => {
    const { refundId } = v.parse(refundData, message.data);
    const refund = order.refunds.find(({ id }) => id === refundId);
    // The refund bounced before the e-mail was sent.
    if (refund?.status !== "succeeded") return "unneeded";
    if (await isInCancellationMail(db, order.id, refundId)) return "unneeded";
    return { kind: "refund_sent", refundCents: refund.amount };
  }),
  async owner_attention({ db, owner, adminUrl }, message) {
    const order = message.orderId === null ? null : await readMailOrder(db, message);
    const { message: issue, url = null, ...data } = v.parse(issueData, message.data);
    const path = data.path ?? (order ? `/orders/${order.id}` : "");
    return {
      ...owner,
      email: { kind: "owner_attention", order, message: issue, url, adminUrl: adminUrl + path },
    };
  },
} satisfies Mail;

/**
 * Whether the e-mail about a cancellation or withdrawal already mentions this refund: they then have the same time, because they
 * were written in one transaction.
 */
async function isInCancellationMail(db: Db, orderId: string, refundId: string): Promise<boolean> {
  const [cancellation] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.orderId, orderId),
        inArray(messages.kind, ["order_called_off", "withdrawal_received"]),
        sql`${messages.createdAt} = (select ${refunds.createdAt} from ${refunds} where ${refunds.id} = ${refundId})`,
      ),
    )
    .limit(1);
  return cancellation !== undefined;
}
