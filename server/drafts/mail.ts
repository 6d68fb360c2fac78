import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { mailPicture } from "../catalog/pictures/sizes.ts";
import { findSellableForLines } from "../catalog/queries.ts";
import { isSameAddress } from "../orders/link-tokens.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { paymentLink } from "../payments/payment-link.ts";
import type { Db } from "../platform/database/database.ts";
import { readDraft } from "./queries.ts";

const linkData = v.object({ draftId: uuidSchema });

/** Enqueues the e-mail with a draft's payment link, once per `occasion`. */
export async function enqueuePaymentLink(
  tx: Db,
  { draftId, email, occasion }: { draftId: string; email: string; occasion: string },
): Promise<void> {
  const dedupeKey = `payment_link:${draftId}:${occasion}`;
  await enqueueMessages(tx, [{ kind: "payment_link", dedupeKey, recipient: email, data: { draftId } }]);
}

export const draftsMail = {
  async payment_link(context, message) {
    const { draftId } = v.parse(linkData, message.data);
    const draft = await readDraft(context, draftId);
    if (!draft || draft.status === "paid") return "unneeded";
    if (draft.status === "expired") return "expired";
    const { customerName, email, quote, expiresAt } = draft;
    // The address was corrected while the e-mail waited to be sent: the former address must not get the new link.
    if (message.recipient === null || !isSameAddress(message.recipient, email)) return "unneeded";
    const { totals, discount } = quote;
    const products = await findSellableForLines(context.db, quote.items);
    const link = paymentLink(context, { id: draftId, email, createdAt: new Date(draft.createdAt) });
    return {
      email: {
        kind: "payment_link",
        name: customerName,
        items: quote.items.map(({ productId, name, quantity, total: totalCents }) => {
          const file = products.get(productId)?.imageFile ?? null;
          return { name, quantity, totalCents, image: file && mailPicture(file) };
        }),
        discount: totals.discount > 0 ? { code: discount?.code ?? null, cents: totals.discount } : null,
        totalCents: totals.total,
        payUrl: link,
        expiresAt,
      },
      secret: new URL(link).searchParams.get("token"),
    };
  },
} satisfies Mail;
