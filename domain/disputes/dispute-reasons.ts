import type { EvidenceSlot, EvidenceText } from "./evidence.ts";

/** Explains a bank's reason: the customer's claim, what convinces the bank, and the evidence fields for it. */
export type DisputeReason = {
  title: string;
  claim: string;
  evidenceRequests: readonly string[];
  texts: readonly EvidenceText[];
  slots: readonly EvidenceSlot[];
};

const commonTexts: readonly EvidenceText[] = [
  "uncategorizedText",
  "customerName",
  "customerEmailAddress",
  "productDescription",
];
const deliveryTexts: readonly EvidenceText[] = [
  "shippingAddress",
  "shippingCarrier",
  "shippingDate",
  "shippingTrackingNumber",
];

const fraudulent: DisputeReason = {
  title: "Fraudulent",
  claim: "The cardholder says they did not make this payment.",
  evidenceRequests: [
    "That the cardholder ordered: messages with them, or earlier orders that nobody disputed",
    "That it went to the cardholder’s address: tracking number and proof of delivery",
  ],
  texts: [...commonTexts, ...deliveryTexts, "billingAddress", "customerPurchaseIp"],
  slots: ["shippingDocumentation", "customerCommunication", "receipt"],
};

const general: DisputeReason = {
  title: "General",
  claim: "The bank gives no further reason. Ask the customer what is wrong: they can withdraw the dispute.",
  evidenceRequests: [
    "What was bought, that it was delivered, and what you and the customer wrote to each other",
  ],
  texts: [...commonTexts, ...deliveryTexts, "refundPolicyDisclosure", "refundRefusalExplanation"],
  slots: ["receipt", "shippingDocumentation", "customerCommunication", "refundPolicy"],
};

/** By `reason` of a dispute at the provider. */
const reasons: Record<string, DisputeReason> = {
  fraudulent,
  unrecognized: {
    ...fraudulent,
    title: "Not recognized",
    claim: "The cardholder does not recognize the payment on their statement.",
  },
  "product not received": {
    title: "Product not received",
    claim: "The customer says the order never came.",
    evidenceRequests: [
      "That it was delivered, when, and to which address: tracking number and proof of delivery",
      "Messages in which the customer mentions that it came",
    ],
    texts: [...commonTexts, ...deliveryTexts],
    slots: ["shippingDocumentation", "customerCommunication", "receipt"],
  },
  "product unacceptable": {
    title: "Product unacceptable",
    claim: "The customer says that what came is damaged, wrong or not as described.",
    evidenceRequests: [
      "That it was as described: what your product page says, pictures of it",
      "That the customer could have sent it back, and whether they asked to",
    ],
    texts: [...commonTexts, "refundPolicyDisclosure", "refundRefusalExplanation", ...deliveryTexts],
    slots: ["customerCommunication", "refundPolicy", "shippingDocumentation", "uncategorizedFile"],
  },
  duplicate: {
    title: "Duplicate",
    claim: "The customer says they paid twice for the same.",
    evidenceRequests: [
      "That there were two purchases: a receipt of each, and what was sent for each",
      "Or, where one was refunded, when and how much",
    ],
    texts: [...commonTexts, "duplicateChargeExplanation", "duplicateChargeId", ...deliveryTexts],
    slots: ["receipt", "duplicateChargeDocumentation", "shippingDocumentation"],
  },
  "credit not processed": {
    title: "Refund not received",
    claim: "The customer says they returned or cancelled it and never got the money back.",
    evidenceRequests: [
      "That the money was refunded, and when; or why none is due",
      "Your returns policy, and how the customer was shown it before paying",
    ],
    texts: [
      ...commonTexts,
      "refundRefusalExplanation",
      "refundPolicyDisclosure",
      "cancellationPolicyDisclosure",
      "cancellationRebuttal",
    ],
    slots: ["refundPolicy", "customerCommunication", "receipt", "cancellationPolicy"],
  },
  "subscription canceled": {
    title: "Cancelled",
    claim: "The customer says they had cancelled and were charged all the same.",
    evidenceRequests: [
      "That nothing was cancelled before it shipped, and how the customer was told about cancelling",
    ],
    texts: [...commonTexts, "cancellationPolicyDisclosure", "cancellationRebuttal", ...deliveryTexts],
    slots: ["cancellationPolicy", "customerCommunication", "receipt"],
  },
  general,
};

export function disputeReason(reason: string): DisputeReason {
  return reasons[reason] ?? { ...general, title: reason.replace(/^./, (first) => first.toUpperCase()) };
}
