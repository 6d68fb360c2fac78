import * as v from "valibot";
import {
  automaticDays,
  campaignChangeSchema,
  campaignFactsSchema,
  campaignPageSchema,
  campaignSchema,
  checkCampaignSchema,
  checkedCampaignSchema,
  newCampaignSchema,
  sendCampaignSchema,
} from "../../domain/campaigns/campaign.ts";
import { uploadLimits } from "../../domain/catalog/upload-limits.ts";
import { discountSentence, discountState } from "../../domain/discounts/discount-terms.ts";
import { accepted, created, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import { unsuitablePictureProblem } from "../catalog/pictures/api.ts";
import { storePicture } from "../catalog/pictures/commands.ts";
import type { ShopContext } from "../context.ts";
import { refreshCustomers } from "../customers/refresh.ts";
import { listDiscounts } from "../discounts/queries.ts";
import { idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { invalidFields, notFoundProblem, problem } from "../platform/http/problem.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { countAudience } from "./audience.ts";
import {
  changeCampaign,
  createCampaign,
  deleteDraft,
  enqueueTest,
  startOrSchedule,
  stopCampaign,
} from "./commands.ts";
import { renderNewsletter } from "./newsletter-email.ts";
import { countAutomatic, findCampaign, listCampaigns, readCampaign } from "./queries.ts";

const shared = { tag: "Newsletter", access: "admin", roles: ["staff"] } as const;
const notFound = { 404: "There is no such newsletter" };
const maxCodes = 100;

export const campaignsApi = [
  route("GET /api/admin/campaigns", {
    ...shared,
    summary: "Newsletters, newest first, with their results, and the results of automatic e-mails",
    query: v.object({ limit: pageLimit(20), cursor: v.optional(numericId) }),
    response: campaignPageSchema,
    responses: {
      200: `\`{data, nextCursor, automatic}\`; \`recipients\` of an unsent one: the number who would get it now; \`revenue\` in cents; \`automatic\`: automatic e-mails of the last ${automaticDays} days`,
    },
    async handle(ctx, { query: { limit, cursor = null } }) {
      await refreshCustomers(ctx);
      const [page, automatic] = await Promise.all([
        listCampaigns(ctx, { limit, cursor }),
        countAutomatic(ctx),
      ]);
      return { status: 200, body: { ...page, automatic } };
    },
  }),
  route("POST /api/admin/campaigns", {
    ...shared,
    summary: "Write a newsletter; it is a draft until it is sent",
    body: newCampaignSchema,
    response: dataEnvelope(campaignSchema),
    responses: { 201: "The draft" },
    async handle(ctx, { body, log }) {
      const id = await createCampaign(ctx, body);
      log({ subject: `campaign:${id}`, summary: `Newsletter ${id} created` });
      return created(await readExisting(ctx, id));
    },
  }),
  route("GET /api/admin/campaigns/:id", {
    ...shared,
    summary: "One newsletter with its results",
    params: idParams,
    response: dataEnvelope(campaignSchema),
    responses: { 200: "The newsletter", ...notFound },
    async handle(ctx, { params: { id } }) {
      await refreshCustomers(ctx);
      return respondWithCampaign(ctx, id);
    },
  }),
  route("GET /api/admin/campaign-facts", {
    ...shared,
    summary: "The products and codes that a newsletter can show, and how many e-mails are sent per minute",
    response: dataEnvelope(campaignFactsSchema),
    responses: {
      200: "`sendsEmail` is false without a mail server: the e-mails are then stored under Messages, Sent",
    },
    handle: async (ctx) => ok(await readFacts(ctx)),
  }),
  route("POST /api/admin/campaigns/check", {
    ...shared,
    onlyReads: true,
    summary: "Preview of a newsletter, and what keeps it from being sent; nothing is saved",
    body: checkCampaignSchema,
    response: dataEnvelope(checkedCampaignSchema),
    responses: {
      200: "`rendered` is null while there are `problems`, by field; `recipients`: the number who would get it now; `warnings`: more readers would get a code than can use one",
    },
    async handle(ctx, { body }) {
      await refreshCustomers(ctx);
      // An unfinished newsletter has a preview, too.
      const previewText = { ...body, subject: body.subject || "Subject", body: body.body || "…" };
      const [{ problems, rendered, usesLeft }, recipients] = await Promise.all([
        renderNewsletter(ctx, previewText),
        countAudience(ctx.db, body, ctx.now()),
      ]);
      const isShort = body.personalCodes && usesLeft !== null && usesLeft < recipients;
      const warnings = isShort
        ? [
            `${body.code} can be used by ${usesLeft.toLocaleString("en-US")} more ${usesLeft === 1 ? "order" : "orders"}, and ${recipients.toLocaleString("en-US")} readers get a code. Later orders get no discount.`,
          ]
        : [];
      return ok({ problems, warnings, rendered, recipients });
    },
  }),
  route("POST /api/admin/campaign-pictures", {
    ...shared,
    limit: "write",
    summary: "Upload a picture for a newsletter",
    upload: { field: "image", maxBytes: uploadLimits.bytes },
    response: dataEnvelope(v.object({ file: v.string(), width: v.number(), height: v.number() })),
    responses: {
      201: "The picture; a text includes it by a line `![description](file)`; it is deleted after a week if no newsletter has it",
    },
    async handle(ctx, { file, log }) {
      if (!file) throw new Error("an upload without a file");
      const result = await storePicture(ctx, file.bytes);
      if (!result.ok) return unsuitablePictureProblem(result.reason);
      const { picture } = result;
      log({ subject: `picture:${picture.file}`, summary: "Picture for a newsletter uploaded" });
      return created(picture);
    },
  }),
  route("PATCH /api/admin/campaigns/:id", {
    ...shared,
    summary: "Change a draft; `revision`, if given, must be the saved one",
    params: idParams,
    body: campaignChangeSchema,
    response: dataEnvelope(campaignSchema),
    responses: {
      200: "The draft, which may still have problems",
      ...notFound,
      409: "`invalid_state`: it is not a draft anymore, or was changed since `revision`; `current` has the newsletter",
    },
    async handle(ctx, { params: { id }, body, log }) {
      const result = await changeCampaign(ctx, id, body);
      if (result === "unknown") return notFoundProblem("newsletter");
      if (result === "changed") {
        log({ subject: `campaign:${id}`, summary: `Newsletter ${id} changed` });
        return respondWithCampaign(ctx, id);
      }
      const current = await readExisting(ctx, id);
      return result === "begun"
        ? problem("invalid_state", "This newsletter is not a draft anymore.", { current })
        : problem("invalid_state", "Somebody else changed this newsletter in the meantime.", { current });
    },
  }),
  route("DELETE /api/admin/campaigns/:id", {
    ...shared,
    summary: "Delete a draft",
    params: idParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", ...notFound, 409: "`invalid_state`: it is not a draft" },
    async handle(ctx, { params: { id }, log }) {
      if ((await findCampaign(ctx.db, id)) === null) return notFoundProblem("newsletter");
      if (!(await deleteDraft(ctx, id))) return problem("invalid_state", "Only a draft can be deleted.");
      log({ subject: `campaign:${id}`, summary: `Draft of newsletter ${id} deleted` });
      return ok({ id });
    },
  }),
  route("POST /api/admin/campaigns/:id/test", {
    ...shared,
    // The owner receives it as an e-mail from the shop.
    roles: [],
    limit: "checkout",
    summary: "Send the owner the newsletter as it is saved",
    params: idParams,
    response: dataEnvelope(
      v.object({ messageId: v.string(), to: v.nullable(v.string()), isSent: v.boolean() }),
    ),
    responses: {
      202: "Queued, `to` the owner; `isSent` is false if it is only stored, because the mail server or the owner's address is missing",
      ...notFound,
      422: "It has problems, by field",
    },
    async handle(ctx, { params: { id }, log }) {
      const campaign = await findCampaign(ctx.db, id);
      if (campaign === null) return notFoundProblem("newsletter");
      const { problems } = await renderNewsletter(ctx, campaign);
      if (Object.keys(problems).length > 0) return invalidFields(problems);
      const messageId = await enqueueTest(ctx.db, id);
      log({ subject: `campaign:${id}`, summary: `Sent a test of newsletter ${id}` });
      const to = ctx.config.mail.ownerEmail;
      return accepted({ messageId, to, isSent: ctx.mailer !== null && to !== null });
    },
  }),
  route("POST /api/admin/campaigns/:id/send", {
    ...shared,
    // Its links may lead to any site, and subscribers trust them as the shop's.
    roles: [],
    summary: "Send a newsletter, or schedule it; a scheduled one can be given another time",
    params: idParams,
    body: sendCampaignSchema,
    response: dataEnvelope(campaignSchema),
    responses: {
      200: "The newsletter, `sending` or `scheduled`; one that was sent before is not sent again",
      ...notFound,
      409: "`invalid_state`: it was stopped, was changed since `revision` (`current` has the newsletter), or it would have no recipients",
      422: "It has problems, by field",
    },
    async handle(ctx, { params: { id }, body: { at, revision }, log }) {
      const campaign = await findCampaign(ctx.db, id);
      if (campaign === null) return notFoundProblem("newsletter");
      const isWaiting = campaign.status === "draft" || campaign.status === "scheduled";
      // Staff write drafts: the owner sends only what the owner has read.
      if (isWaiting && revision !== undefined && revision !== campaign.revision) {
        const message =
          "Somebody else changed this newsletter in the meantime. Reload it, and read it before you send it.";
        return problem("invalid_state", message, { current: await readExisting(ctx, id) });
      }
      const { problems } = isWaiting ? await renderNewsletter(ctx, campaign) : { problems: {} };
      if (Object.keys(problems).length > 0) return invalidFields(problems);
      await refreshCustomers(ctx);
      const result = await startOrSchedule(ctx, { id, at, revision: campaign.revision });
      if (result === "stopped")
        return problem("invalid_state", "This newsletter was stopped. Write it again as a new one.");
      if (result === "conflict")
        return problem("invalid_state", "Somebody else changed this newsletter just now.");
      if (result === "nobody") return problem("invalid_state", "Nobody would receive it.");
      const after = await readExisting(ctx, id);
      if (result !== "done") {
        const { scheduledAt } = after;
        const verb = result === "scheduled" ? "scheduled" : "started";
        log({
          subject: `campaign:${id}`,
          summary: `Newsletter ${id} ${verb}, to ${after.recipients} ${after.recipients === 1 ? "subscriber" : "subscribers"}`,
          ...(result === "scheduled" && { after: { scheduledAt } }),
        });
      }
      return ok(after);
    },
  }),
  route("POST /api/admin/campaigns/:id/stop", {
    ...shared,
    summary: "Stop a newsletter for good: recipients whose e-mail has not been sent do not get it",
    params: idParams,
    response: dataEnvelope(campaignSchema),
    responses: {
      200: "The newsletter; an e-mail that is being sent at this moment still goes out",
      ...notFound,
      409: "`invalid_state`: it is a draft, or was sent to everybody",
    },
    async handle(ctx, { params: { id }, log }) {
      const result = await stopCampaign(ctx, id);
      if (result === "unknown") return notFoundProblem("newsletter");
      if (result === "not_begun")
        return problem("invalid_state", "This newsletter is a draft: nothing is being sent.");
      if (result === "over") return problem("invalid_state", "It was already sent to everybody.");
      log({ subject: `campaign:${id}`, summary: `Newsletter ${id} stopped` });
      return respondWithCampaign(ctx, id);
    },
  }),
];

async function respondWithCampaign(ctx: ShopContext, id: number) {
  return okOrNotFound("newsletter", await readCampaign(ctx, id));
}

async function readExisting(ctx: ShopContext, id: number) {
  const campaign = await readCampaign(ctx, id);
  if (campaign === null) throw new Error(`campaign ${id} is gone`);
  return campaign;
}

async function readFacts(ctx: ShopContext) {
  const [{ seller }, products, { discounts }, timeZone] = await Promise.all([
    ctx.settings(),
    ctx.products.list(),
    listDiscounts(ctx.db, { limit: maxCodes, cursor: null }),
    ownerTimeZone(ctx),
  ]);
  const usableDiscounts = discounts.filter(
    (discount) => !discount.automatic && ["running", "upcoming"].includes(discountState(discount, ctx.now())),
  );
  return {
    perMinute: ctx.config.mail.newslettersPerMinute,
    sendsEmail: ctx.mailer !== null,
    hasPostalAddress: (seller.address ?? "").trim() !== "",
    products: products.map(({ id, name }) => ({ id, name })),
    codes: usableDiscounts.map((discount) => ({
      code: discount.code.toUpperCase(),
      sentence: discountSentence(discount, timeZone),
    })),
  };
}
