import type { Block } from "../content/blocks.ts";
import type { WelcomeOffer } from "../newsletter/newsletter.ts";
import type { Order, OrderShipment } from "../orders/order.ts";
import type { ReturnKind } from "../orders/order-return.ts";
import type { ReplacementReason } from "../orders/replacement.ts";
import type { KeptOrder } from "../privacy/erasure.ts";
import type { ShopSettings } from "../settings/settings.ts";

/** A piece of a newsletter's text. `url` is absolute; width and height in pixels, as shown on a computer. */
export type NewsletterPart =
  | { kind: "words"; blocks: Block[] }
  | { kind: "picture"; url: string; alt: string; width: number; height: number };

/** Shop details printed in every e-mail. */
export type Sender = {
  brandName: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** IANA name of the shop's time zone; the reader's is unknown. */
  timeZone: string;
  /** Whether payments are simulated, which e-mails about payments mention. */
  isTestMode: boolean;
  /** Format of totals (see total-text.ts). */
  currencyDisplay: ShopSettings["currencyDisplay"];
  /** Reply address. If it is null, e-mails do not ask for replies. */
  replyTo: string | null;
  /** For the footer of e-mails to shoppers; null in those to the owner. */
  seller: MailSeller | null;
};

type MailSeller = ShopSettings["seller"] & {
  phone: string | null;
  returns: ShopSettings["returns"];
};

/** `image`: the path of a JPEG on the shop's site; null if there is none. */
export type MailProduct = { name: string; image: string | null };

/** An e-mail's kind and data. URLs (`...Url`) are absolute. */
export type Email =
  | OrderEmail
  | { kind: "owner_new_order"; order: Order; adminUrl: string }
  /** `url`: the page at the payment provider. */
  | { kind: "owner_attention"; order: Order | null; message: string; url: string | null; adminUrl: string }
  | {
      kind: "owner_low_stock";
      productName: string;
      alert:
        | { kind: "low"; free: number }
        /** `bestBefore`: YYYY-MM-DD */
        | { kind: "expired"; units: number; batchCode: string; bestBefore: string };
      adminUrl: string;
    }
  | {
      kind: "owner_contact";
      reference: string;
      name: string;
      email: string;
      /** The subject's label. */
      about: string;
      message: string;
      isSuspicious: boolean;
      adminUrl: string;
    }
  | { kind: "contact_receipt"; reference: string }
  | {
      kind: "contact_reply";
      reference: string;
      /** The owner's answer. */
      text: string;
      /** The message that it answers, and its time (ISO 8601 UTC). */
      message: string;
      writtenAt: string;
    }
  | {
      kind: "owner_review";
      productName: string;
      rating: number;
      comment: string;
      /** Null if the reviewer gave no name. */
      customerName: string | null;
      /** Whether it waits for the owner's approval. */
      isHeld: boolean;
      heldPhotos: number;
      adminUrl: string;
    }
  | {
      kind: "owner_question";
      productName: string;
      question: string;
      /** Name of the person who asked; null if it was not given. */
      name: string | null;
      /** Whether the person left an address for the answer. */
      isAnswerAwaited: boolean;
      adminUrl: string;
    }
  /** Replaces alerts beyond the hourly limit of a kind. */
  | { kind: "owner_summary"; of: SummedKind; count: number; adminUrl: string }
  | { kind: "question_answer"; productName: string; question: string; answer: string; productUrl: string }
  | {
      kind: "panel_invitation";
      name: string;
      /** The role's label: "Staff". */
      role: string;
      /** A person's name, or the shop's. */
      invitedBy: string;
      /** False if it is a new link for a person who has joined before. */
      isNew: boolean;
      expiresAt: string;
      joinUrl: string;
    }
  /** `what`: a sentence without its full stop; `from`: browser and network address, "" if unknown; `at`: ISO 8601. */
  | { kind: "owner_security"; what: string; who: string; at: string; from: string; adminUrl: string }
  /** Tests whether e-mail reaches the owner. */
  | { kind: "test_email"; adminUrl: string }
  /** `reason`: why the text message about the order did not arrive, for the owner. */
  | { kind: "owner_text_failed"; order: Order; reason: string; adminUrl: string }
  | {
      kind: "cart_reminder";
      items: (MailProduct & { quantity: number; totalCents: number })[];
      cartUrl: string;
      unsubscribeUrl: string;
    }
  | {
      kind: "review_request";
      orderNumber: number;
      firstName: string;
      /** `rateUrl`: the form's URL, to which `&rating=` can be added. */
      items: (MailProduct & { reviewUrl: string; rateUrl: string })[];
      buyAgainUrl: string;
      unsubscribeUrl: string;
    }
  /** Asks the address's owner to confirm a stock alert. */
  | { kind: "stock_alert_confirm"; product: MailProduct; confirmUrl: string }
  | {
      kind: "stock_alert";
      product: MailProduct;
      priceCents: number;
      productUrl: string;
      unsubscribeUrl: string;
    }
  | {
      kind: "refill_reminder";
      firstName: string;
      orderNumber: number;
      items: MailProduct[];
      buyAgainUrl: string;
      unsubscribeUrl: string;
    }
  /** `offer`: the welcome code's discount in a sentence. */
  | { kind: "newsletter_confirm"; confirmUrl: string; offer: string | null }
  /** `product`: the shop's main product; null if it has none. */
  | {
      kind: "newsletter_welcome";
      offer: WelcomeOffer | null;
      product: MailProduct | null;
      shopUrl: string;
      unsubscribeUrl: string;
    }
  /** A campaign. `product` and `button` null if it has none. `isTest`: a trial, sent to the owner only. */
  | {
      kind: "newsletter";
      subject: string;
      preheader: string;
      /** If empty, the subject is the heading. */
      heading: string;
      parts: NewsletterPart[];
      product: (MailProduct & { priceCents: number; url: string }) | null;
      button: { label: string; url: string } | null;
      offer: WelcomeOffer | null;
      unsubscribeUrl: string;
      isTest: boolean;
    }
  /** A request to pay a draft order. `lines` are before any discount. */
  | {
      kind: "payment_link";
      name: string;
      items: (MailProduct & { quantity: number; totalCents: number })[];
      /** Null if there is none. */
      discount: { code: string | null; cents: number } | null;
      totalCents: number;
      payUrl: string;
      /** ISO 8601. */
      expiresAt: string;
    }
  | { kind: "owner_order_change"; order: Order; change: OrderChange; adminUrl: string }
  | { kind: "order_lookup"; lookupUrl: string }
  | { kind: "data_export"; dataUrl: string }
  | { kind: "data_deletion"; dataUrl: string }
  /** `kept`: orders whose personal data is still needed; empty if all is erased. */
  | { kind: "data_deleted"; kept: KeptOrder[] };

/** An e-mail to the buyer of an order. */
type OrderEmail = { order: Order; orderUrl: string } & (
  | {
      kind: "order_confirmation";
      /** "3-5 business days", if the shipping option still exists. */
      deliveryDays: string | null;
      /** IANA name of the shop's time zone, for the receipt's date. */
      timeZone: string;
    }
  | {
      kind: "order_shipped";
      shipment: OrderShipment;
      /** "3-5 business days", if the shipping option still exists. */
      deliveryDays: string | null;
    }
  /** The carrier reports a problem with the parcel. */
  | { kind: "parcel_delayed"; shipment: OrderShipment }
  /** `buyAgainUrl`: page to buy the same items again. */
  | { kind: "order_delivered"; buyAgainUrl: string; returns: ShopSettings["returns"] }
  /** The tracking number was corrected. */
  | { kind: "parcel_corrected"; shipment: OrderShipment }
  /**
   * The buyer changed the address, or the shop corrected contact details (`changed`: "name", "email", "email spelling", "phone",
   * "address"). `isFormer`: sent to the order's former e-mail address.
   */
  | { kind: "address_changed"; by: "buyer" | "shop"; changed: string[]; isFormer: boolean }
  | {
      kind: "order_called_off";
      refundCents: number;
      by: "buyer" | "shop";
      /** The shop's message to the buyer. */
      reason: string | null;
    }
  /** A request to pay an order edit. */
  | ({
      kind: "items_to_pay";
      payUrl: string;
      note: string | null;
      /** ISO 8601. */
      expiresAt: string;
    } & ChangedItems)
  /** An applied order edit. `isOutside`: the difference is settled outside the shop. */
  | ({
      kind: "items_changed";
      note: string | null;
      isOutside: boolean;
    } & ChangedItems)
  /** Units sent again at no charge. `of`: the number of the original order. */
  | { kind: "replacement_sent"; of: number; reason: ReplacementReason; note: string | null }
  /** An exchange of units of order number `of`. `payUrl`: pays the difference; null if there is nothing to pay. */
  | {
      kind: "exchange_begun";
      of: number;
      returned: readonly { name: string; quantity: number }[];
      added: readonly { name: string; quantity: number }[];
      differenceCents: number;
      note: string | null;
      payUrl: string | null;
      /** ISO 8601. */
      expiresAt: string;
    }
  /** One succeeded refund; the sum of all refunds is in the order. */
  | { kind: "refund_sent"; refundCents: number }
  | { kind: "return_requested"; reason: string; returns: ShopSettings["returns"] }
  | { kind: "return_decided"; isApproved: boolean; answer: string | null }
  /** The owner's message about a request without a decision, such as the return address for a withdrawn order. */
  | { kind: "return_answered"; about: ReturnKind; answer: string }
  | { kind: "return_label"; carrier: string }
  | {
      kind: "withdrawal_received";
      name: string;
      /** ISO 8601 UTC. */
      declaredAt: string;
      /** Cents refunded immediately; null if it is refunded after the goods are back. */
      refundCents: number | null;
    }
);

/** `differenceCents`: added to the order's price, or refunded if negative. */
export type ChangedItems = {
  added: { name: string; quantity: number }[];
  removed: { name: string; quantity: number }[];
  differenceCents: number;
};

/** Kinds of alerts that one summary replaces beyond an hourly limit. */
export type SummedKind = "owner_contact" | "owner_question" | "owner_review";

/** A change of an order that the owner is alerted to. `refundCents` is the same as in the buyer's e-mail. */
export type OrderChange =
  | { kind: "address"; by: "buyer" | "shop" }
  | { kind: "called_off"; refundCents: number; by: "buyer" | "shop" }
  | { kind: "return"; reason: string }
  /** The buyer paid an order edit. */
  | ({ kind: "items" } & ChangedItems)
  | { kind: "withdrawal"; name: string; refundCents: number | null };

export type RenderedEmail = { subject: string; html: string; text: string };
