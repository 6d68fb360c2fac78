/** `return`: by the shop's policy. `withdrawal`: by the right of withdrawal of the EU, the EEA and the UK. */
export type ReturnKind = "return" | "withdrawal";
export type ReturnStatus = "requested" | "approved" | "declined" | "closed";

/** A buyer's wish to send an order back. Times ISO 8601 UTC. */
export type OrderReturn = {
  id: string;
  kind: ReturnKind;
  status: ReturnStatus;
  reason: string | null;
  requestedAt: string;
  decidedAt: string | null;
  /** What the owner answered. */
  answer: string | null;
};
