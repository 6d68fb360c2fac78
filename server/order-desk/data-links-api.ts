import * as v from "valibot";
import { keptOrderSchema } from "../../domain/privacy/erasure.ts";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { recordActivity } from "../admin/activity.ts";
import { accepted, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { findLookup, redeemLookup, requestLookup } from "../orders/lookup.ts";
import type { Db } from "../platform/database/database.ts";
import { currentActor } from "../platform/http/actor.ts";
import { problem } from "../platform/http/problem.ts";
import { requestDeletion } from "../privacy/deletion.ts";
import { exportPerson, personalDataSchema } from "../privacy/export.ts";
import { lastAddressAuthor } from "./editing/contact.ts";

const tag = "Personal data";
const tokenSchema = v.pipe(
  v.string("Is required"),
  v.minLength(1, "Is required"),
  v.maxLength(200, "Too long"),
);
const linkRequest = {
  tag,
  access: "anyone",
  limit: "lookup",
  body: v.object({ email: emailSchema }),
  response: dataEnvelope(v.object({ message: v.string() })),
  responses: { 202: "Always the same, whether or not the address is known" },
} as const;
const invalidLinkText = "The link was used before or is older than an hour";

/** Export and deletion of personal data: people prove their address by an e-mailed link. */
export const dataLinksApi = [
  route("POST /api/account/export", {
    ...linkRequest,
    summary: "E-mail a link that downloads the data stored about the address",
    handle: (ctx, { body }) => sendLink(ctx, "export", body.email),
  }),
  route("POST /api/account/deletion", {
    ...linkRequest,
    summary: "E-mail a link that deletes the data stored about the address",
    handle: (ctx, { body }) => sendLink(ctx, "deletion", body.email),
  }),
  route("POST /api/account/export/use", {
    tag,
    summary: "Redeem an e-mailed link, which works once: returns all data stored about its address",
    access: "anyone",
    byBuyer: true,
    limit: "lookup",
    body: v.object({ token: tokenSchema }),
    response: dataEnvelope(personalDataSchema),
    responses: {
      200: "`{format, version, email, madeAt, isComplete, orders, invoices, reviews, contactMessages, emails, carts, cartReminders, refillReminders, links, unsubscribedFrom}`",
      404: invalidLinkText,
    },
    handle: async (ctx, { body }) => {
      const data = await redeemLink(ctx, body.token, "export", (tx, email) => exportPerson(ctx, tx, email));
      return data ? ok(data) : invalidLink();
    },
  }),
  route("POST /api/account/deletion/use", {
    tag,
    summary: "Redeem an e-mailed link, which works once: deletes the data stored about its address",
    access: "anyone",
    byBuyer: true,
    limit: "lookup",
    body: v.object({
      token: tokenSchema,
      confirm: v.literal(true, "Please confirm that you want your data deleted"),
    }),
    response: dataEnvelope(v.object({ kept: v.array(keptOrderSchema) })),
    responses: {
      202: "The deletion is queued. `{kept: [{number, because}]}`: orders that still need their buyer's data, and why",
      404: invalidLinkText,
    },
    handle: async (ctx, { body }) => {
      const keptOrders = await redeemLink(ctx, body.token, "deletion", (tx, email) =>
        requestDeletion(ctx, tx, email),
      );
      return keptOrders ? accepted({ kept: keptOrders }) : invalidLink();
    },
  }),
];

const summaries = {
  export: "Downloaded the data stored about a buyer",
  deletion: "Requested the deletion of the data stored about a buyer",
};

/**
 * Redeems a link and passes the address that it proves to `use`; null if the link was used or has expired. If a panel user had
 * replaced the buyer's address with this one, the mailbox may belong to that user, so the activity log names them. The API gate
 * logs calls from browsers with an open panel session.
 */
async function redeemLink<T>(
  ctx: ShopContext,
  token: string,
  purpose: keyof typeof summaries,
  use: (tx: Db, email: string) => Promise<T>,
): Promise<T | null> {
  // Read before the link is used, because a deletion may remove the order's history immediately.
  const lookup = currentActor() ? null : await findLookup(ctx.db, token, ctx.now());
  const addressAuthor = lookup && (await lastAddressAuthor(ctx.db, lookup.email));
  const result = await ctx.db.transaction(async (tx) => {
    const email = await redeemLookup(tx, { token, purpose, now: ctx.now() });
    return email === null ? null : use(tx, email);
  });
  if (result !== null && addressAuthor) {
    await recordActivity(ctx.db, {
      at: ctx.now(),
      action: `POST /api/account/${purpose}/use`,
      sessionId: null,
      outcome: "done",
      personId: addressAuthor.personId,
      subject: `order:${addressAuthor.orderId}`,
      summary: `${summaries[purpose]}, whose email address was changed in the panel`,
    });
  }
  return result;
}

async function sendLink(ctx: ShopContext, purpose: "export" | "deletion", email: string) {
  await requestLookup(ctx.db, { email, purpose });
  return accepted({ message: "If we store anything about this address, a link is on its way." });
}

function invalidLink() {
  return problem(
    "not_found",
    "This link was used before or is older than an hour. Please ask for a new one.",
  );
}
