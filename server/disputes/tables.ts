import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { DisputeStatus } from "../../domain/disputes/dispute.ts";
import type { EvidenceFileType, EvidenceSlot, EvidenceTexts } from "../../domain/disputes/evidence.ts";
import { orderRef } from "../orders/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** Disputes by banks, as returned by the provider. Amounts are in cents. */
export const disputes = pgTable(
  "disputes",
  {
    id: text().primaryKey(),
    orderId: orderRef(),
    intentId: text("intent_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Amount that has left the account and not returned. */
    withdrawnCents: integer("withdrawn_cents").notNull().default(0),
    /** Fee that the provider keeps, whether the dispute is won or lost. */
    feeCents: integer("fee_cents").notNull().default(0),
    /** Amount withdrawn by a dispute that has ended and was not won. */
    chargedBackCents: integer("charged_back_cents")
      .notNull()
      .generatedAlwaysAs(sql`case when status in ('lost','closed') then withdrawn_cents else 0 end`),
    /** Amount withdrawn by an undecided dispute, or not returned yet after the dispute was won. */
    heldCents: integer("held_cents")
      .notNull()
      .generatedAlwaysAs(sql`case when status in ('lost','closed') then 0 else withdrawn_cents end`),
    reason: text().notNull(),
    status: text().$type<DisputeStatus>().notNull(),
    /** Whether this is an inquiry, for which no money has left the account so far. */
    isInquiry: boolean("is_inquiry").notNull(),
    evidenceDueAt: timestamptz("evidence_due_at"),
    createdAt: timestamptz("created_at").notNull(),
    withdrawnAt: timestamptz("withdrawn_at"),
    reinstatedAt: timestamptz("reinstated_at"),
    /** When the dispute ended: the time of its event if there was one, otherwise the time at which the shop noticed. */
    closedAt: timestamptz("closed_at"),
    changedAt: timestamptz("changed_at").notNull(),
    /** Counts updates of the row, so that an older response of the provider does not overwrite a newer one. */
    revision: integer().notNull(),
  },
  (t) => [
    check("disputes_status", sql`${t.status} in ('needs_response','under_review','won','lost','closed')`),
    check("disputes_amounts", sql`${t.amountCents} >= 0 and ${t.withdrawnCents} >= 0 and ${t.feeCents} >= 0`),
    check("disputes_closed", sql`(${t.closedAt} is not null) = (${t.status} in ('won','lost','closed'))`),
    index("disputes_order").on(t.orderId),
    index("disputes_intent").on(t.intentId),
    index("disputes_changed").on(t.changedAt),
    index("disputes_open").on(t.createdAt).where(sql`${t.closedAt} is null`),
  ],
);

/** The shop's answer to a dispute: a draft until it is sent, which is possible once. */
export const disputeEvidence = pgTable(
  "dispute_evidence",
  {
    disputeId: text("dispute_id")
      .primaryKey()
      .references(() => disputes.id),
    texts: jsonb().$type<EvidenceTexts>().notNull(),
    /** `sending`: not confirmed by the provider yet. */
    status: text().$type<"draft" | "sending" | "sent">().notNull().default("draft"),
    /** Counts edits of texts and files. Callers that save or send name the revision that they have read. */
    revision: integer().notNull().default(1),
    /** The provider's message if it refused the evidence when it was last sent. */
    failure: text(),
    /** Counts its idempotency keys: after a failure, the provider repeats that failure for the same key. */
    attempts: integer().notNull().default(0),
    /** Number of answers that the provider had before the evidence was first sent; null if it has not been read yet. */
    answeredBefore: integer("answered_before"),
    createdAt: timestamptz("created_at").notNull(),
    changedAt: timestamptz("changed_at").notNull(),
    sentAt: timestamptz("sent_at"),
  },
  (t) => [
    check("dispute_evidence_status", sql`${t.status} in ('draft','sending','sent')`),
    check("dispute_evidence_sent", sql`(${t.status} = 'sent') = (${t.sentAt} is not null)`),
  ],
);

/** Files of an answer, one per kind of evidence that the provider accepts. A replaced file gets a new id. */
export const disputeFiles = pgTable(
  "dispute_files",
  {
    id: uuid().primaryKey(),
    disputeId: text("dispute_id")
      .notNull()
      .references(() => disputeEvidence.disputeId, { onDelete: "cascade" }),
    slot: text().$type<EvidenceSlot>().notNull(),
    name: text().notNull(),
    type: text().$type<EvidenceFileType>().notNull(),
    bytes: bytea().notNull(),
    size: integer().notNull(),
    /** `shop`: made from the order; `upload`: added by a person. */
    origin: text().$type<"shop" | "upload">().notNull(),
    /** Id at the provider after the upload. */
    providerFileId: text("provider_file_id"),
    createdAt: timestamptz("created_at").notNull(),
  },
  (t) => [
    check("dispute_files_origin", sql`${t.origin} in ('shop','upload')`),
    check("dispute_files_type", sql`${t.type} in ('application/pdf','image/jpeg','image/png')`),
    uniqueIndex("dispute_files_slot").on(t.disputeId, t.slot),
  ],
);
