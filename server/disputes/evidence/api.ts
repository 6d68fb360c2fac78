import * as v from "valibot";
import {
  disputePageSchema,
  evidenceChangeSchema,
  evidenceFileTypes,
  evidenceLimits,
  evidenceSlotNames,
  evidenceSlots,
  revisionSchema,
} from "../../../domain/disputes/evidence.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { type ApiCall, dataEnvelope, okOrNotFound, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { notFoundProblem, problem } from "../../platform/http/problem.ts";
import {
  addFile,
  beginEvidence,
  discardEvidence,
  type EvidenceChange,
  type Refusal,
  removeFile,
  saveTexts,
} from "./commands.ts";
import { findDispute, readDisputePage, readFile } from "./read.ts";
import { acceptDispute, sendToBank } from "./send.ts";

const disputeId = v.pipe(v.string(), v.maxLength(255));
const params = v.object({ id: disputeId });
const fileParams = v.object({ id: disputeId, fileId: uuidSchema });
const revision = v.object({ revision: revisionSchema });
const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;
const disputeRow = { ...shared, params, response: dataEnvelope(disputePageSchema) } as const;
const responses = {
  200: "The dispute with its evidence as it is now",
  404: "There is no such dispute, or nothing was drafted",
  409: "Not possible in its state, with the reason; or changed since the `revision` sent along: `current` has the stored version",
};

/** Answers to disputes. Staff write them; only the owner sends one or accepts a dispute. */
export const evidenceApi = [
  route("GET /api/admin/disputes/:id", {
    ...disputeRow,
    roles: ["staff", "accountant"],
    summary: "A dispute, whether it can be answered, and its drafted or sent evidence",
    responses: { 200: "`evidence` null: none was drafted", 404: "There is no such dispute" },
    handle: async (ctx, { params: { id } }) => respondWithDispute(ctx, id),
  }),
  route("POST /api/admin/disputes/:id/evidence", {
    ...disputeRow,
    roles: ["staff"],
    summary:
      "Draft the evidence from the order: texts, receipt, messages and policy; an existing draft is kept",
    responses,
    handle: async (ctx, call) =>
      respondWithChange(ctx, call, await beginEvidence(ctx, call.params.id), "Evidence drafted"),
  }),
  route("PUT /api/admin/disputes/:id/evidence", {
    ...disputeRow,
    roles: ["staff"],
    summary: "Save the texts of the evidence; nothing is sent",
    body: evidenceChangeSchema,
    responses,
    handle: async (ctx, call) => {
      const saved = await saveTexts(ctx, { disputeId: call.params.id, ...call.body });
      return respondWithChange(ctx, call, saved, "Draft of the evidence saved");
    },
  }),
  route("DELETE /api/admin/disputes/:id/evidence", {
    ...disputeRow,
    roles: ["staff"],
    summary: "Delete the draft with its files, so that a new one can be created",
    body: revision,
    responses,
    handle: async (ctx, call) => {
      const discarded = await discardEvidence(ctx, call.params.id, call.body.revision);
      return respondWithChange(ctx, call, discarded, "Draft of the evidence deleted");
    },
  }),
  route("POST /api/admin/disputes/:id/files", {
    ...disputeRow,
    roles: ["staff"],
    summary: "Add a file to the evidence, replacing the one of the same kind",
    limit: "write",
    upload: { field: "file", maxBytes: evidenceLimits.bytes },
    body: v.object({ slot: v.picklist(evidenceSlotNames, "Say what it shows") }),
    responses: { ...responses, 422: "It is no PDF, JPEG or PNG, or all files together are too large" },
    handle: async (ctx, call) => {
      const { file } = call;
      if (!file) throw new Error("an upload without a file");
      const { slot } = call.body;
      const added = await addFile(ctx, { disputeId: call.params.id, slot, file });
      const change = `File added to the evidence (${evidenceSlots[slot].toLowerCase()})`;
      return respondWithChange(ctx, call, added, change);
    },
  }),
  route("GET /api/admin/disputes/:id/files/:fileId", {
    ...shared,
    roles: ["staff", "accountant"],
    summary: "A file of the evidence",
    downloads: true,
    params: fileParams,
    file: evidenceFileTypes,
    responses: { 200: "The file", 404: "No such file" },
    handle: async ({ db }, { params: { id, fileId } }) => {
      const file = await readFile(db, id, fileId);
      if (!file) return notFoundProblem("file");
      return {
        status: 200,
        stream: new Blob([new Uint8Array(file.bytes)]).stream(),
        headers: {
          "Content-Type": file.type,
          "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        },
      };
    },
  }),
  route("DELETE /api/admin/disputes/:id/files/:fileId", {
    ...disputeRow,
    roles: ["staff"],
    summary: "Remove a file from the evidence",
    params: fileParams,
    responses,
    handle: async (ctx, call) => {
      const removed = await removeFile(ctx, call.params.id, call.params.fileId);
      return respondWithChange(ctx, call, removed, "File removed from the evidence");
    },
  }),
  route("POST /api/admin/disputes/:id/send", {
    ...disputeRow,
    summary: "Send the evidence to the bank, which is possible only once",
    body: revision,
    // Only the owner, because it is possible once and decides about the disputed amount.
    confirm: async (ctx, { params: { id } }) => {
      const { confirmAboveCents } = await ctx.ownerSettings();
      const dispute = await findDispute(ctx.db, id);
      const isLarge = dispute && confirmAboveCents !== null && dispute.amountCents > confirmAboveCents;
      return isLarge ? "The bank gets the evidence" : null;
    },
    responses: {
      ...responses,
      200: "The dispute: its evidence is `sent`",
      409: "Not possible in its state; changed since the `revision`; or refused by the provider: it is a draft again, with the reason",
      202: "The provider has not confirmed it yet, or cannot be reached: it is retried until it is",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await sendToBank(ctx, id, body.revision);
      if (!result.ok) return evidenceProblem(ctx, id, result);
      const page = await readDisputePage(ctx, id);
      if (!page) return notFoundProblem("dispute, or nothing was drafted for it");
      const { evidence, dispute, order } = page;
      const status = evidence?.status ?? "draft";
      if (result.isNew) {
        log({
          subject: `order:${order.id}`,
          summary: `Evidence for the dispute over ${formatCents(dispute.amount)} of order #${order.number} ${statusTexts[status]}`,
        });
      }
      if (status === "draft") {
        return problem("invalid_state", evidence?.failure ?? "It was not sent.", { current: page });
      }
      return { status: status === "sent" ? 200 : 202, body: { data: page } };
    },
  }),
  route("POST /api/admin/disputes/:id/accept", {
    ...disputeRow,
    summary: "Accept a dispute: it is lost, and its amount is not returned",
    body: v.object({
      amount: v.pipe(
        v.number("Must be a number of cents"),
        v.integer("Must be a whole number of cents"),
        v.minValue(1, "Must be more than nothing"),
      ),
    }),
    givesAway: true,
    responses: {
      200: "The lost dispute, also if it was lost before",
      404: "There is no such dispute",
      409: "Not possible in its state, or `amount` (cents) is not the disputed amount, with the reason",
      502: "The provider did not answer; whether the dispute is lost is not known",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await acceptDispute(ctx, id, body.amount);
      if (!result.ok && result.code === "unreachable") return problem("provider_unavailable", result.reason);
      if (!result.ok) return evidenceProblem(ctx, id, result);
      if (result.isNew) await logChange(ctx, id, log, `Dispute over ${formatCents(body.amount)} accepted`);
      return respondWithDispute(ctx, id);
    },
  }),
];

const statusTexts = {
  sent: "sent to the bank",
  sending: "is being sent to the bank",
  draft: "was not sent: refused",
};

type Log = ApiCall["log"];

async function logChange(ctx: ShopContext, id: string, log: Log, change: string): Promise<void> {
  const page = await readDisputePage(ctx, id);
  if (page)
    log({ subject: `order:${page.order.id}`, summary: `${change}: dispute of order #${page.order.number}` });
}

async function respondWithDispute(ctx: ShopContext, id: string) {
  return okOrNotFound("dispute, or nothing was drafted for it", await readDisputePage(ctx, id));
}

/** Logs an edit and responds with the dispute, or responds with the reason for a refusal. */
async function respondWithChange(
  ctx: ShopContext,
  { params: { id }, log }: Pick<ApiCall<{ id: string }>, "params" | "log">,
  result: EvidenceChange,
  change: string,
) {
  if (!result.ok) return evidenceProblem(ctx, id, result);
  await logChange(ctx, id, log, change);
  return respondWithDispute(ctx, id);
}

async function evidenceProblem(ctx: ShopContext, id: string, refusal: Refusal) {
  switch (refusal.code) {
    case "missing":
      return notFoundProblem("dispute, or nothing was drafted for it");
    case "conflict":
      return problem("invalid_state", changedMeanwhile, { current: await readDisputePage(ctx, id) });
    case "input":
      return problem("validation_failed", refusal.reason, { fields: { file: refusal.reason } });
    case "state":
      return problem("invalid_state", refusal.reason);
  }
}

const changedMeanwhile =
  "The evidence was changed in the meantime, in another window or by somebody else. Nothing was saved.";
