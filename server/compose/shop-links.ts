import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { findLookup } from "../orders/lookup.ts";
import { unsubscribeKind } from "../outbox/optouts.ts";
import type { Shop } from "../pages/shop.ts";
import type { Database } from "../platform/database.ts";
import { findInvitation } from "../reviews/invitation.ts";

/** What the links in e-mails stand for. Looking uses none of them up. */
export function linkChecks({
  db,
  now,
  secret,
  mode,
}: {
  db: Database;
  now(): Date;
  secret: string;
  mode: PaymentMode;
}): Pick<Shop, "reviewInvitation" | "unsubscribeKind" | "isLookupUsable" | "dataLink"> {
  return {
    reviewInvitation: (token) => findInvitation({ db, secret, now: now(), mode }, token),
    unsubscribeKind: (token) => unsubscribeKind(secret, token, now()),
    isLookupUsable: async (token) => (await findLookup(db, token, now()))?.purpose === "orders",
    async dataLink(token) {
      const found = await findLookup(db, token, now());
      return found && found.purpose !== "orders" ? { ...found, purpose: found.purpose } : null;
    },
  };
}
