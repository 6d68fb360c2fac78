import type { WelcomeOffer } from "../newsletter/newsletter.ts";
import type { Order, OrderShipment } from "../orders/order.ts";
import type { ReturnKind } from "../orders/order-return.ts";
import type { KeptOrder } from "../privacy/erasure.ts";
import type { Giving } from "../sales/giving.ts";
import type { ShopSettings } from "../settings/settings.ts";

/** What every e-mail says of the shop. */
export type Sender = {
  brandName: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** The shop's, as an IANA name: nobody knows the reader's. */
  timeZone: string;
  /** Whether payments are simulated: every e-mail about money says so. */
  isTestMode: boolean;
  /** How totals are written (see total-text.ts). */
  currencyDisplay: ShopSettings["currencyDisplay"];
  /** Where answers go; null: nowhere, so none are asked for. */
  replyTo: string | null;
  /** What stands at the foot of e-mails to shoppers; null in those to the owner. */
  seller: MailSeller | null;
};

export type MailSeller = ShopSettings["seller"] & {
  phone: string | null;
  returns: ShopSettings["returns"];
};

/** `image`: the path of a JPEG on the shop's site; null: there is none. */
export type MailProduct = { name: string; image: string | null };

/** An e-mail's occasion and facts. Addresses (`...Url`) are complete. */
export type Email =
  | {
      kind: "order_confirmation";
      order: Order;
      orderUrl: string;
      /** "3-5 business days", where the option still exists. */
      deliveryDays: string | null;
      /** The shop's, for the receipt's date. IANA name. */
      timeZone: string;
      giving: Giving;
    }
  | { kind: "owner_new_order"; order: Order; adminUrl: string }
  /** `url`: where it is dealt with at the payment provider. */
  | { kind: "owner_attention"; order: Order | null; message: string; url: string | null; adminUrl: string }
  | {
      kind: "owner_low_stock";
      productName: string;
      news:
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
      /** The subject in words. */
      about: string;
      message: string;
      isSuspicious: boolean;
      adminUrl: string;
    }
  | { kind: "contact_receipt"; reference: string }
  | {
      kind: "contact_reply";
      reference: string;
      /** What the owner wrote. */
      text: string;
      /** What it answers, and when that was written (ISO 8601 UTC). */
      message: string;
      writtenAt: string;
    }
  | {
      kind: "owner_review";
      productName: string;
      rating: number;
      comment: string;
      /** Null: written without a name. */
      customerName: string | null;
      /** Whether it waits for the owner's approval. */
      isHeld: boolean;
      /** Photos that wait for it. */
      heldPhotos: number;
      adminUrl: string;
    }
  | {
      kind: "owner_question";
      productName: string;
      question: string;
      /** Of whoever asked; null: they did not say. */
      name: string | null;
      /** Whether they left an address to be told of the answer. */
      isAnswerAwaited: boolean;
      adminUrl: string;
    }
  /** More of these came within an hour than are told of one by one. */
  | { kind: "owner_summary"; of: SummedKind; count: number; adminUrl: string }
  | { kind: "question_answer"; productName: string; question: string; answer: string; productUrl: string }
  /** To the owner, to see that e-mail arrives. */
  | {
      kind: "panel_invitation";
      name: string;
      /** In words: "Staff". */
      role: string;
      /** A name, or the shop's. */
      invitedBy: string;
      /** False: a new link for somebody who has joined before. */
      isNew: boolean;
      expiresAt: string;
      joinUrl: string;
    }
  /** `what`: a sentence without its full stop; `from`: browser and network address, empty where unknown; `at`: ISO 8601. */
  | { kind: "owner_security"; what: string; who: string; at: string; from: string; adminUrl: string }
  | { kind: "test_email"; adminUrl: string }
  /** `reason`: why the text about the order did not arrive, in a sentence. */
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
      /** `rateUrl`: the form, to which `&rating=` may be added. */
      items: (MailProduct & { reviewUrl: string; rateUrl: string })[];
      againUrl: string;
      unsubscribeUrl: string;
    }
  /** To whoever asked to hear of a sold-out product: was it really they? */
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
      againUrl: string;
      unsubscribeUrl: string;
    }
  /** `offer`: what the welcome code takes off, in a sentence. */
  | { kind: "newsletter_confirm"; confirmUrl: string; offer: string | null }
  | { kind: "newsletter_welcome"; offer: WelcomeOffer | null; shopUrl: string; unsubscribeUrl: string }
  /** Somebody is to pay what the shop wrote down for them. `lines` are before any discount. */
  | {
      kind: "payment_link";
      name: string;
      lines: { name: string; quantity: number; cents: number }[];
      totalCents: number;
      payUrl: string;
      /** ISO 8601. */
      expiresAt: string;
    }
  | {
      kind: "order_shipped";
      order: Order;
      orderUrl: string;
      shipment: OrderShipment;
      /** "3-5 business days", where the option still exists. */
      deliveryDays: string | null;
    }
  /** `againUrl`: where the same can be bought again. */
  | {
      kind: "order_delivered";
      order: Order;
      orderUrl: string;
      againUrl: string;
      returns: ShopSettings["returns"];
    }
  /** The number a parcel can be followed by was wrong. */
  | { kind: "parcel_corrected"; order: Order; orderUrl: string; shipment: OrderShipment }
  /**
   * The buyer sends the parcel elsewhere, or the shop has corrected something of the contact (`changed`: "name", "email", "phone",
   * "address"). `isFormer`: it goes to the e-mail address that the order had before.
   */
  | {
      kind: "address_changed";
      order: Order;
      orderUrl: string;
      by: "buyer" | "shop";
      changed: string[];
      isFormer: boolean;
    }
  | {
      kind: "order_called_off";
      order: Order;
      orderUrl: string;
      refundCents: number;
      by: "buyer" | "shop";
      /** What the shop wrote to its buyer. */
      reason: string | null;
    }
  /** Items are to be added to a paid order, and others perhaps taken out: what is to be paid for it. */
  | ({
      kind: "items_to_pay";
      order: Order;
      orderUrl: string;
      payUrl: string;
      note: string | null;
      /** ISO 8601. */
      expiresAt: string;
    } & ChangedItems)
  /** The shop has changed the items of a paid order. `isOutside`: its money does not come by the shop's own ways. */
  | ({
      kind: "items_changed";
      order: Order;
      orderUrl: string;
      note: string | null;
      isOutside: boolean;
    } & ChangedItems)
  /** One refund that has succeeded; what came back in all stands with the order. */
  | { kind: "refund_sent"; order: Order; orderUrl: string; refundCents: number }
  | {
      kind: "return_requested";
      order: Order;
      orderUrl: string;
      reason: string;
      returns: ShopSettings["returns"];
    }
  | { kind: "return_decided"; order: Order; orderUrl: string; isApproved: boolean; answer: string | null }
  /** What the owner writes about a request that is not decided by it: where a withdrawn order's parcel goes, say. */
  | { kind: "return_answered"; order: Order; orderUrl: string; about: ReturnKind; answer: string }
  | {
      kind: "withdrawal_received";
      order: Order;
      orderUrl: string;
      name: string;
      /** ISO 8601 UTC. */
      declaredAt: string;
      /** What goes back at once; null: it was shipped, the goods come back first. */
      refundCents: number | null;
    }
  | { kind: "owner_order_change"; order: Order; change: OrderChange; adminUrl: string }
  | { kind: "order_lookup"; lookupUrl: string }
  | { kind: "data_export"; dataUrl: string }
  | { kind: "data_deletion"; dataUrl: string }
  /** `kept`: orders that still need their buyer's data; none: all is done. */
  | { kind: "data_deleted"; kept: KeptOrder[] };

/** `differenceCents`: what the order costs more by it, below zero: less. */
export type ChangedItems = {
  added: { name: string; quantity: number }[];
  removed: { name: string; quantity: number }[];
  differenceCents: number;
};

/** What the owner is told of in one e-mail when much of it comes in. */
export type SummedKind = "owner_contact" | "owner_question" | "owner_review";

/** What a buyer did with an order. `refundCents` as in the buyer's own e-mail. */
export type OrderChange =
  | { kind: "address"; by: "buyer" | "shop" }
  | { kind: "called_off"; refundCents: number; by: "buyer" | "shop" }
  | { kind: "return"; reason: string }
  /** Paid for items that the shop adds. */
  | ({ kind: "items" } & ChangedItems)
  | { kind: "withdrawal"; name: string; refundCents: number | null };

export type RenderedEmail = { subject: string; html: string; text: string };
