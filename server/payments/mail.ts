import * as v from "valibot";
import { orderOf, toBuyer } from "../orders/mail.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyDevices } from "../push/notify.ts";

/** Tells the owner about an issue, once per kind and subject. */
export async function enqueueIssue(
  tx: Db,
  issue: {
    kind: string;
    subject: string;
    orderId: string | null;
    message: string;
    url?: string | null;
    path?: string;
  },
): Promise<void> {
  const { orderId, message, url, path } = issue;
  const dedupeKey = `owner_attention:${issue.kind}:${issue.subject}`;
  await enqueueMessages(tx, [
    {
      kind: "owner_attention",
      dedupeKey,
      orderId,
      data: { message, ...(url ? { url } : {}), ...(path ? { path } : {}) },
    },
  ]);
  if (issue.kind === "dispute" && orderId !== null) await notifyDevices(tx, "dispute", orderId);
}

/** Tells the buyer that money has reached their bank, once per refund. */
export async function enqueueRefunded(
  tx: Db,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "refund_sent", dedupeKey: `refund_sent:${refundId}`, orderId, data: { refundId } },
  ]);
}

/** `path`: of the panel's page about it, behind the panel's own address. */
const issueData = v.object({
  message: v.string(),
  url: v.optional(v.string()),
  path: v.optional(v.string(), ""),
});

const refundData = v.object({ refundId: v.string() });

export const paymentsMail = {
  refund_sent: toBuyer((_, order, message) => {
    const { refundId } = v.parse(refundData, message.data);
    const refund = order.refunds.find(({ id }) => id === refundId);
    // The bank has sent it back before this could be sent: it would not be true any more.
    if (refund?.status !== "succeeded") return "unneeded";
    return { kind: "refund_sent", refundCents: refund.amount };
  }),
  // Stored under its older name.
  async owner_attention({ db, owner, adminUrl }, message) {
    const order = message.orderId === null ? null : await orderOf(db, message);
    const { message: issue, url = null, path } = v.parse(issueData, message.data);
    return {
      ...owner,
      email: { kind: "owner_attention", order, message: issue, url, adminUrl: adminUrl + path },
    };
  },
} satisfies Mail;
