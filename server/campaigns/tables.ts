import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Audience, CampaignStatus, Segment } from "../../domain/campaigns/campaign.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** Counts of a campaign whose recipients were purged. */
export type CampaignCounts = {
  recipients: number;
  sent: number;
  bounced: number;
  left: number;
  failed: number;
  unknown: number;
  /** Missing in counts stored by versions that did not count complaints. */
  complained?: number;
};

/** Newsletters to subscribers, written by the owner. */
export const campaigns = pgTable(
  "campaigns",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Counts edits; an edit that started from an older revision is refused. */
    revision: integer().notNull().default(1),
    status: text().$type<CampaignStatus>().notNull().default("draft"),
    subject: text().notNull(),
    preheader: text().notNull(),
    heading: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    /** The product that the newsletter shows; it may have been unpublished since. */
    productId: integer("product_id"),
    buttonLabel: text("button_label").notNull(),
    buttonUrl: text("button_url").notNull(),
    /** The discount code that the newsletter shows, in capitals; orders with this code count as the campaign's results. */
    code: text(),
    /** Each recipient gets a personal code with the terms of `code`; orders with such codes count as results. */
    personalCodes: boolean("personal_codes").notNull().default(false),
    audience: text().$type<Audience>().notNull(),
    segment: jsonb().$type<Segment>().notNull(),
    createdAt: timestamptz("created_at").notNull(),
    scheduledAt: timestamptz("scheduled_at"),
    startedAt: timestamptz("started_at"),
    endedAt: timestamptz("ended_at"),
    /** The latest run that sends the campaign; an earlier run stops when it sees another id. */
    runId: uuid("run_id"),
    /**
     * The mail server's response while it accepts nothing, or why the shop stopped the campaign or only saved the e-mails; null
     * if there is no problem.
     */
    problem: text(),
    /** Set when its recipients are purged. */
    counts: jsonb().$type<CampaignCounts>(),
  },
  (t) => [
    check("campaigns_status", sql`${t.status} in ('draft','scheduled','sending','sent','stopped')`),
    check("campaigns_audience", sql`${t.audience} in ('subscribers','buyers','segment')`),
    check("campaigns_ended", sql`(${t.endedAt} is not null) = (${t.status} in ('sent','stopped'))`),
    index("campaigns_to_send").on(t.scheduledAt).where(sql`${t.status} in ('scheduled','sending')`),
  ],
);

/** `skipped`: no longer subscribed, or the campaign was stopped. `unknown`: interrupted while it was being sent. */
export type RecipientStatus =
  | "queued"
  | "sending"
  | "sent"
  | "bounced"
  | "complained"
  | "failed"
  | "unknown"
  | "skipped";

/** Recipients of a campaign, written when it starts. The address itself is only in `subscribers`. */
export const campaignRecipients = pgTable(
  "campaign_recipients",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    campaignId: bigint("campaign_id", { mode: "number" })
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    /** Hash of the address as in `subscribers`; random once the person's data is erased. */
    emailHash: bytea("email_hash").notNull(),
    status: text().$type<RecipientStatus>().notNull().default("queued"),
    attempts: smallint().notNull().default(0),
    /** Time of the latest attempt. */
    at: timestamptz(),
  },
  (t) => [
    check(
      "campaign_recipients_status",
      sql`${t.status} in ('queued','sending','sent','bounced','complained','failed','unknown','skipped')`,
    ),
    uniqueIndex("campaign_recipients_once").on(t.campaignId, t.emailHash),
    index("campaign_recipients_queued").on(t.campaignId, t.attempts, t.id).where(sql`${t.status} = 'queued'`),
    index("campaign_recipients_address").on(t.emailHash),
  ],
);
