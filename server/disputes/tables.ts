import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { DisputeStatus } from "../../domain/disputes/dispute.ts";
import type { EvidenceFileType, EvidenceSlot, EvidenceTexts } from "../../domain/disputes/evidence.ts";
import { orders } from "../orders/tables.ts";
import { jsonb } from "../platform/database/jsonb.ts";
import { bytea } from "../visitors/tables.ts";

/**
 * What banks took, or want to take, back for buyers, as the provider has it: written from its answers alone. Cents.
 */
export const disputes = pgTable(
  "disputes",
  {
    /** The provider's. */
    id: text().primaryKey(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    intentId: text("intent_id").notNull(),
    /** What the bank wants back. */
    amountCents: integer("amount_cents").notNull(),
    /** What has left the account for it and not come back. */
    withdrawnCents: integer("withdrawn_cents").notNull().default(0),
    /** What the provider took on top and keeps, whoever wins. */
    feeCents: integer("fee_cents").notNull().default(0),
    /** Lost for good: what was withdrawn once the dispute is over and not won. */
    chargedBackCents: integer("charged_back_cents")
      .notNull()
      .generatedAlwaysAs(sql`case when status in ('lost','closed') then withdrawn_cents else 0 end`),
    /** Withdrawn while nobody has decided, or not given back yet after it was won. */
    heldCents: integer("held_cents")
      .notNull()
      .generatedAlwaysAs(sql`case when status in ('lost','closed') then 0 else withdrawn_cents end`),
    reason: text().notNull(),
    status: text().$type<DisputeStatus>().notNull(),
    /** The bank only asks: no money has left (yet). */
    isInquiry: boolean("is_inquiry").notNull(),
    evidenceDueAt: timestamp("evidence_due_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    withdrawnAt: timestamp("withdrawn_at", { withTimezone: true }),
    reinstatedAt: timestamp("reinstated_at", { withTimezone: true }),
    /** When it was decided, or ended without: as its news said, else when the shop learnt of it. */
    closedAt: timestamp("closed_at", { withTimezone: true }),
    /** When anything of it last changed here. */
    changedAt: timestamp("changed_at", { withTimezone: true }).notNull(),
    /** Counts the changes, so that an answer that is older than the last one booked is noticed. */
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

/** What the shop answers to a dispute: a draft until it is sent, which can be done once. */
export const disputeEvidence = pgTable(
  "dispute_evidence",
  {
    disputeId: text("dispute_id")
      .primaryKey()
      .references(() => disputes.id),
    texts: jsonb().$type<EvidenceTexts>().notNull(),
    /** `sending`: asked for, and the provider has not confirmed it yet. */
    status: text().$type<"draft" | "sending" | "sent">().notNull().default("draft"),
    /** Counts the changes of texts and files: whoever saves or sends names the one they began from. */
    revision: integer().notNull().default(1),
    /** Why the provider refused it when it was last sent, in its own words. */
    failure: text(),
    /** Counts the idempotency keys it was sent under: a key may hold a failure of the provider's own. */
    attempts: integer().notNull().default(0),
    /** How often the provider had been answered when this was first sent; null: not asked yet. */
    answeredBefore: integer("answered_before"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    changedAt: timestamp("changed_at", { withTimezone: true }).notNull(),
    sentAt: timestamp("sent_at", { withTimezone: true }),
  },
  (t) => [
    check("dispute_evidence_status", sql`${t.status} in ('draft','sending','sent')`),
    check("dispute_evidence_sent", sql`(${t.status} = 'sent') = (${t.sentAt} is not null)`),
  ],
);

/** The files of it: one for each thing that the provider takes a file for. A file that is replaced gets another id. */
export const disputeFiles = pgTable(
  "dispute_files",
  {
    id: uuid().primaryKey(),
    disputeId: text("dispute_id")
      .notNull()
      .references(() => disputeEvidence.disputeId, { onDelete: "cascade" }),
    /** What it shows. */
    slot: text().$type<EvidenceSlot>().notNull(),
    name: text().notNull(),
    type: text().$type<EvidenceFileType>().notNull(),
    bytes: bytea().notNull(),
    size: integer().notNull(),
    /** `shop`: made from the order; `upload`: added by somebody. */
    origin: text().$type<"shop" | "upload">().notNull(),
    /** The provider's, once it was uploaded there. */
    providerFileId: text("provider_file_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (t) => [
    check("dispute_files_origin", sql`${t.origin} in ('shop','upload')`),
    check("dispute_files_type", sql`${t.type} in ('application/pdf','image/jpeg','image/png')`),
    uniqueIndex("dispute_files_slot").on(t.disputeId, t.slot),
  ],
);
