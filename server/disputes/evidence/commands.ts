import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import {
  type EvidenceFileType,
  type EvidenceSlot,
  type EvidenceTexts,
  evidenceFileType,
  evidenceLimits,
} from "../../../domain/disputes/evidence.ts";
import type { ShopContext } from "../../context.ts";
import type { Db } from "../../platform/database/database.ts";
import { disputeEvidence, disputeFiles } from "../tables.ts";
import { draftEvidence } from "./draft.ts";
import { answerProblem, findDispute } from "./read.ts";

/** `conflict`: the evidence was edited after the caller's revision; nothing was written. */
export type Refusal =
  | { ok: false; code: "missing" | "conflict" }
  | { ok: false; code: "state" | "input"; reason: string };
export type EvidenceChange = { ok: true } | Refusal;

const missing = { ok: false, code: "missing" } as const;

/** Drafts the answer to a dispute from its order. An existing draft stays unchanged. */
export async function beginEvidence(ctx: ShopContext, disputeId: string): Promise<EvidenceChange> {
  const dispute = await findDispute(ctx.db, disputeId);
  if (!dispute) return missing;
  if ((await ctx.db.$count(disputeEvidence, eq(disputeEvidence.disputeId, disputeId))) > 0) {
    return { ok: true };
  }
  const reason = await answerProblem(ctx, ctx.db, dispute);
  if (reason !== null) return { ok: false, code: "state", reason };
  const draft = await draftEvidence(ctx, dispute);
  if (!draft) {
    const erased = "The customer’s data was deleted, so no evidence can be drafted.";
    return { ok: false, code: "state", reason: erased };
  }
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const { rowCount } = await tx
      .insert(disputeEvidence)
      .values({ disputeId, texts: draft.texts, createdAt: now, changedAt: now })
      .onConflictDoNothing();
    // Another caller has drafted it in the meantime.
    if (rowCount === 0) return;
    for (const { slot, name, bytes } of draft.files) {
      const file = { name, bytes: Buffer.from(bytes), type: "application/pdf" } as const;
      await insertFile(tx, { disputeId, slot, file, origin: "shop", now });
    }
  });
  return { ok: true };
}

/** Deletes the draft, so that another can be started. */
export async function discardEvidence(
  ctx: ShopContext,
  disputeId: string,
  revision: number,
): Promise<EvidenceChange> {
  return ctx.db.transaction(async (tx) => {
    const draft = await lockDraft(tx, disputeId, revision);
    if (!draft.ok) return draft;
    await tx.delete(disputeEvidence).where(eq(disputeEvidence.disputeId, disputeId));
    return { ok: true };
  });
}

/** Saves the texts. Idempotent. */
export async function saveTexts(
  ctx: ShopContext,
  { disputeId, revision, texts }: { disputeId: string; revision: number; texts: EvidenceTexts },
): Promise<EvidenceChange> {
  return ctx.db.transaction(async (tx) => {
    const draft = await lockDraft(tx, disputeId, null);
    if (!draft.ok) return draft;
    if (isDeepStrictEqual(draft.row.texts, texts)) return { ok: true };
    if (draft.row.revision !== revision) return { ok: false, code: "conflict" };
    await incrementRevision(ctx, tx, disputeId, { texts });
    return { ok: true };
  });
}

/** Stores a file in its slot and deletes the file it replaces. */
export async function addFile(
  ctx: ShopContext,
  { disputeId, slot, file }: { disputeId: string; slot: EvidenceSlot; file: { name: string; bytes: Buffer } },
): Promise<EvidenceChange> {
  const type = evidenceFileType(file.bytes);
  if (type === null) {
    return {
      ok: false,
      code: "input",
      reason: "This is not a PDF, JPEG or PNG file. Save it as one of these and choose it again.",
    };
  }
  return ctx.db
    .transaction(async (tx) => {
      const draft = await lockDraft(tx, disputeId, null);
      if (!draft.ok) return draft;
      await tx
        .delete(disputeFiles)
        .where(and(eq(disputeFiles.disputeId, disputeId), eq(disputeFiles.slot, slot)));
      const [otherFiles] = await tx
        .select({ bytes: sql<number>`coalesce(sum(${disputeFiles.size}), 0)::int` })
        .from(disputeFiles)
        .where(eq(disputeFiles.disputeId, disputeId));
      if ((otherFiles?.bytes ?? 0) + file.bytes.length > evidenceLimits.bytes) {
        // Rolls back the deletion of the replaced file.
        throw new TooManyBytes();
      }
      const now = ctx.now();
      const name = fileName(file.name, type);
      await insertFile(tx, { disputeId, slot, file: { ...file, name, type }, origin: "upload", now });
      await incrementRevision(ctx, tx, disputeId, {});
      return { ok: true } as const;
    })
    .catch((error: unknown): EvidenceChange => {
      if (!(error instanceof TooManyBytes)) throw error;
      const reason =
        "All files together must not exceed 4.5 MB, the banks’ limit. Make this file smaller, or remove another one.";
      return { ok: false, code: "input", reason };
    });
}

class TooManyBytes extends Error {}

export async function removeFile(
  ctx: ShopContext,
  disputeId: string,
  fileId: string,
): Promise<EvidenceChange> {
  return ctx.db.transaction(async (tx) => {
    const draft = await lockDraft(tx, disputeId, null);
    if (!draft.ok) return draft;
    const { rowCount } = await tx
      .delete(disputeFiles)
      .where(and(eq(disputeFiles.id, fileId), eq(disputeFiles.disputeId, disputeId)));
    if (rowCount === 0) return missing;
    await incrementRevision(ctx, tx, disputeId, {});
    return { ok: true };
  });
}

type LockedDraft = { ok: true; row: typeof disputeEvidence.$inferSelect } | Refusal;

/** Locks a draft, so that its edits run one after the other. If `revision` is null, any revision is accepted. */
async function lockDraft(tx: Db, disputeId: string, revision: number | null): Promise<LockedDraft> {
  const [row] = await tx
    .select()
    .from(disputeEvidence)
    .where(eq(disputeEvidence.disputeId, disputeId))
    .for("update");
  if (!row) return missing;
  if (row.status !== "draft") {
    return {
      ok: false,
      code: "state",
      reason: "The evidence was sent in the meantime. Nothing was changed.",
    };
  }
  if (revision !== null && row.revision !== revision) return { ok: false, code: "conflict" };
  return { ok: true, row };
}

/** Saves changes of a draft under the next revision. */
async function incrementRevision(
  ctx: ShopContext,
  tx: Db,
  disputeId: string,
  changes: { texts?: EvidenceTexts },
): Promise<void> {
  await tx
    .update(disputeEvidence)
    .set({ ...changes, revision: sql`${disputeEvidence.revision} + 1`, changedAt: ctx.now() })
    .where(eq(disputeEvidence.disputeId, disputeId));
}

async function insertFile(
  tx: Db,
  entry: {
    disputeId: string;
    slot: EvidenceSlot;
    file: { name: string; bytes: Buffer; type: EvidenceFileType };
    origin: "shop" | "upload";
    now: Date;
  },
): Promise<void> {
  const { disputeId, slot, file, origin, now } = entry;
  const size = file.bytes.length;
  await tx
    .insert(disputeFiles)
    .values({ id: randomUUID(), disputeId, slot, ...file, size, origin, createdAt: now });
}

const extensions: Record<EvidenceFileType, string> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
};

/** File name without characters that file systems or headers reject, with the extension of its type. */
function fileName(uploadName: string, type: EvidenceFileType): string {
  const stem = uploadName
    .replace(/\.[a-z]{3,4}$/i, "")
    .replace(/[^\p{L}\p{N} ._-]/gu, "_")
    .slice(0, 80)
    .trim();
  return `${stem || "file"}.${extensions[type]}`;
}
