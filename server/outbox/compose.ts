import type { Email } from "../../domain/outbox/email.ts";
import { isErasedEmail } from "../../domain/privacy/erasure.ts";
import type { Message } from "./claim.ts";
import type { Composed, ComposeParts, Composer } from "./composer.ts";
import { cartComposers } from "./composers/cart.ts";
import { contactComposers } from "./composers/contact.ts";
import { orderNewsComposers } from "./composers/order-news.ts";
import { orderComposers } from "./composers/orders.ts";
import { privacyComposers } from "./composers/privacy.ts";
import { reviewComposers } from "./composers/reviews.ts";
import { stockComposers } from "./composers/stock.ts";
import { testComposers } from "./composers/test.ts";

const composers: Record<Email["kind"], Composer> = {
  ...orderComposers,
  ...orderNewsComposers,
  ...contactComposers,
  ...cartComposers,
  ...reviewComposers,
  ...stockComposers,
  ...privacyComposers,
  ...testComposers,
};

/** Gathers the facts of an e-mail as they are now. */
export async function composeMessage(parts: ComposeParts, message: Message): Promise<Composed | "expired"> {
  const facts = await parts.settings();
  const toShopper = {
    brandName: facts.brandName,
    currencyDisplay: facts.currencyDisplay,
    publicUrl: parts.publicUrl,
    isTestMode: parts.isTestMode,
    replyTo: facts.contact.email,
  };
  const owner = { recipient: parts.ownerEmail, sender: { ...toShopper, replyTo: null }, secret: null };
  const context = { ...parts, facts, adminUrl: `${parts.publicUrl}/admin`, toShopper, owner };
  const composed = await composers[message.kind as Email["kind"]](context, message);
  const isErased = composed !== "expired" && composed.recipient !== null && isErasedEmail(composed.recipient);
  return isErased ? "expired" : composed;
}
