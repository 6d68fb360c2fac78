import { eq } from "drizzle-orm";
import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { toBuyer } from "../orders/mail.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { returnProblem } from "./parcel.ts";
import { labels } from "./tables.ts";

const labelData = v.object({ labelId: uuidSchema });

/** Sends the buyer the label of a return, once. Call it in the transaction that books the purchase. */
export async function enqueueReturnLabel(
  tx: Db,
  { orderId, labelId }: { orderId: string; labelId: string },
): Promise<void> {
  const dedupeKey = `return_label:${labelId}`;
  await enqueueMessages(tx, [{ kind: "return_label", dedupeKey, orderId, data: { labelId } }]);
}

export const labelMail = {
  return_label: toBuyer(async ({ db }, order, message) => {
    const { labelId } = v.parse(labelData, message.data);
    const [label] = await db.select().from(labels).where(eq(labels.id, labelId));
    // The label was voided, or its return settled, before the e-mail was sent.
    if (label?.state !== "bought" || label.returnId === null) return "unneeded";
    return returnProblem(order, label.returnId) === null
      ? { kind: "return_label", carrier: label.carrier }
      : "unneeded";
  }),
} satisfies Mail;
