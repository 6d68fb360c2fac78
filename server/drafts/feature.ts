import { and, asc, eq, lte, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  draftEditSchema,
  draftPreviewRequestSchema,
  draftPreviewSchema,
  draftRequestSchema,
  draftRevisionSchema,
  draftRowSchema,
  draftSchema,
  paidOutsideSchema,
} from "../../domain/drafts/draft.ts";
import { unpaidOrderDays } from "../../domain/privacy/retention.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { eraseActivity } from "../admin/activity.ts";
import { created, dataEnvelope, flatDataEnvelope, ok, okFlat, okOrNotFound, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { paymentLink } from "../payments/payment-link.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import { pageLimit, uuidParams } from "../platform/http/params.ts";
import { notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import {
  changeDraft,
  createDraft,
  type DraftResult,
  deleteDraft,
  duplicateDraft,
  sendLink,
} from "./commands.ts";
import { draftsMail } from "./mail.ts";
import { payOutside } from "./paid-outside.ts";
import { payApi } from "./pay.ts";
import { payExchangeApi } from "./pay-exchange.ts";
import { draftStatus, findDraft, listDrafts, previewDraft, readDraft } from "./queries.ts";
import { orderDrafts } from "./tables.ts";

const shared = {
  tag: "Contact, notifications, admin",
  access: "admin",
  roles: ["staff"],
} as const;
const draftRow = { ...shared, params: uuidParams, response: dataEnvelope(draftSchema) } as const;
const responses = {
  200: "The draft as it is now, priced as checkout would",
  404: "There is no such draft",
  409: "It was paid, or somebody else has changed it since this `revision`",
};
const revision = v.object({ revision: draftRevisionSchema });

/** API calls about draft orders. Amounts are in cents, times in ISO 8601. */
const draftsApi = [
  route("GET /api/admin/drafts", {
    ...shared,
    summary: "Draft orders, newest first",
    query: v.object({ limit: pageLimit(50), cursor: v.optional(uuidSchema) }),
    response: v.object({ data: v.array(draftRowSchema), nextCursor: v.nullable(v.string()) }),
    responses: { 200: "A list of drafts and `nextCursor`" },
    handle: async (ctx, { query: { limit, cursor = null } }) => ({
      status: 200,
      body: await listDrafts(ctx, { limit, cursor }),
    }),
  }),
  route("GET /api/admin/drafts/:id", {
    ...draftRow,
    summary: "One draft with its totals, and the problems that prevent its payment",
    responses: { 200: responses[200], 404: responses[404] },
    handle: async (ctx, { params }) => respondWithDraft(ctx, params.id),
  }),
  route("POST /api/admin/drafts", {
    ...shared,
    summary: "Create a draft order for a customer",
    givesAway: true,
    body: draftRequestSchema,
    response: dataEnvelope(draftSchema),
    responses: { 201: "The draft" },
    handle: async (ctx, { body, log }) => {
      const draft = await readDraft(ctx, await createDraft(ctx, body));
      if (!draft) return notFoundProblem("draft");
      log({ subject: `draft:${draft.id}`, summary: "Draft order created" });
      return created(draft);
    },
  }),
  route("POST /api/admin/drafts/preview", {
    ...shared,
    summary: "Price of a draft that is still being written; nothing is saved",
    onlyReads: true,
    body: draftPreviewRequestSchema,
    response: dataEnvelope(draftPreviewSchema),
    responses: { 200: "Its totals, the reduction of the shop's prices (`takenOff`), and the problems" },
    handle: async (ctx, { body: { id, discountCents, ...body } }) => {
      const saved = id === null ? null : await findDraft(ctx.db, id);
      const draft = {
        ...body,
        discountCents: body.discountCode === null ? discountCents : 0,
        orderId: saved?.draft.orderId ?? null,
      };
      return ok(await previewDraft(ctx, { draft, order: saved?.order ?? null }));
    },
  }),
  route("PATCH /api/admin/drafts/:id", {
    ...draftRow,
    summary: "Change a draft; the unpaid order opened by its link is cancelled",
    givesAway: true,
    body: draftEditSchema,
    responses,
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await changeDraft(ctx, { id, ...body });
      if (!result?.ok) return draftProblem(result);
      log("Draft order changed");
      return respondWithDraft(ctx, id);
    },
  }),
  route("DELETE /api/admin/drafts/:id", {
    ...shared,
    summary: "Delete a draft that is not paid; its link no longer works",
    params: uuidParams,
    body: revision,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Deleted", 404: responses[404], 409: responses[409] },
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await deleteDraft(ctx, { id, revision: body.revision });
      if (!result?.ok) return draftProblem(result);
      log("Draft order deleted");
      return ok({ id });
    },
  }),
  route("POST /api/admin/drafts/:id/duplicate", {
    ...draftRow,
    summary: "Create another draft with the same contents",
    givesAway: true,
    responses: { 201: "The new draft", 404: responses[404] },
    handle: async (ctx, { params, log }) => {
      const id = await duplicateDraft(ctx, params.id);
      const draft = id && (await readDraft(ctx, id));
      if (!draft) return notFoundProblem("draft");
      log({ subject: `draft:${draft.id}`, summary: "Draft order copied" });
      return created(draft);
    },
  }),
  route("POST /api/admin/drafts/:id/send", {
    ...draftRow,
    summary: "E-mail the payment link to the payer, and extend its validity",
    responses,
    handle: async (ctx, { params: { id }, log }) => {
      const result = await sendLink(ctx, id);
      if (!result?.ok) return draftProblem(result);
      log("Payment link sent");
      return respondWithDraft(ctx, id);
    },
  }),
  route("POST /api/admin/drafts/:id/link", {
    ...shared,
    summary: "Return the payment link of a draft, to be passed on to the payer",
    handsOutLink: true,
    params: uuidParams,
    response: flatDataEnvelope({ url: v.string() }),
    responses: {
      200: "`{url}`; anybody who has it can pay",
      404: responses[404],
      409: "It was paid, or its link has expired",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const entry = await findDraft(ctx.db, id);
      if (!entry) return notFoundProblem("draft");
      const status = draftStatus(entry, ctx.now());
      if (status === "expired") {
        return problem("invalid_state", "The link has expired: sending it renews it.");
      }
      if (status === "paid" || status === "processing") {
        return problem("invalid_state", "It is already paid, so its link no longer works.");
      }
      log("Payment link of the draft handed out");
      return okFlat({ url: paymentLink(ctx, entry.draft) });
    },
  }),
  route("POST /api/admin/drafts/:id/paid", {
    ...draftRow,
    summary: "Turn a draft that was paid outside the shop into a paid order",
    body: paidOutsideSchema,
    responses: {
      ...responses,
      409: `${responses[409]}; its total is another amount, or it cannot be sold now`,
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await payOutside(ctx, { id, ...body });
      if (!result?.ok) return draftProblem(result);
      const order = (await findDraft(ctx.db, id))?.order;
      log({
        subject: `order:${result.orderId}`,
        summary: `Order #${order?.number} recorded as paid outside the shop (${body.method}): ${body.reason}`,
      });
      return respondWithDraft(ctx, id);
    },
  }),
];

async function respondWithDraft(ctx: ShopContext, id: string) {
  return okOrNotFound("draft", await readDraft(ctx, id));
}

function draftProblem(result: Extract<DraftResult, { ok: false }> | null): Problem {
  return result ? problem("invalid_state", result.reason) : notFoundProblem("draft");
}

/** Draft orders, which the owner writes for a buyer, for example on the phone or at a market. */
export const draftsFeature = {
  api: [...draftsApi, ...payApi, ...payExchangeApi],
  mail: draftsMail,
  purges: [purgeDrafts],
  personalData: { lists: { drafts: exportDrafts }, erase: eraseDrafts },
} satisfies Feature;

const isFor = (email: string) => eq(sql`lower(${orderDrafts.email})`, email);

/** Drafts for an address (in lower case). Orders made from them are exported with the orders. */
async function exportDrafts(db: Db, { email }: Person, limit: number) {
  const { email: address, customerName, phone, shipping, items, note, createdAt, sentAt } = orderDrafts;
  return db
    .select({ email: address, customerName, phone, shipping, items, note, createdAt, sentAt })
    .from(orderDrafts)
    .where(isFor(email))
    .orderBy(asc(orderDrafts.createdAt))
    .limit(limit);
}

async function eraseDrafts(tx: Db, { email, until }: PersonToErase): Promise<void> {
  const deleted = await tx
    .delete(orderDrafts)
    .where(and(isFor(email), lte(orderDrafts.createdAt, until)))
    .returning({ id: orderDrafts.id });
  const subjects = deleted.map(({ id }) => `draft:${id}`);
  await eraseActivity(tx, subjects);
}

/** Deletes drafts that were not edited for as long as unpaid orders are kept. The orders of paid drafts stay. */
async function purgeDrafts({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - unpaidOrderDays * 24 * 60 * 60 * 1000).toISOString();
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`delete from ${orderDrafts} where id in (
      select id from ${orderDrafts} where changed_at < ${before}::timestamptz limit ${batchRows} for update skip locked)`);
    return rowCount ?? 0;
  });
}
