import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, notLike, sql } from "drizzle-orm";
import { addressLines } from "../../../domain/address/address-format.ts";
import { contactReference } from "../../../domain/contact/contact.ts";
import { type Block, runsText } from "../../../domain/content/blocks.ts";
import { type EvidenceSlot, type EvidenceTexts, evidenceTexts } from "../../../domain/disputes/evidence.ts";
import { buyerName } from "../../../domain/orders/first-name.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { formatDay, formatMinute } from "../../../domain/orders/order-text.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { invoiceFile } from "../../books/invoices.ts";
import { invoices } from "../../books/tables.ts";
import { contactMessages, contactReplies } from "../../contact/tables.ts";
import { readPageContent } from "../../content/page-content.ts";
import type { ShopContext } from "../../context.ts";
import { findOrder } from "../../orders/queries.ts";
import { orders } from "../../orders/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { payments } from "../../payments/tables.ts";
import { withInertLinks } from "../../platform/http/inert-links.ts";
import { type TextPart, textDocument } from "../../platform/pdf.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { disputes } from "../tables.ts";

type DraftedFile = { slot: EvidenceSlot; name: string; bytes: Uint8Array };
type EvidenceDraft = { texts: EvidenceTexts; files: DraftedFile[] };

/** Maximum number of messages of each kind in the evidence; the newest are included. */
const maxMessages = 50;
const maxOrders = 10;
/** Maximum length of an e-mail's text in the evidence. */
const maxMailTextLength = 4_000;

/** Drafts evidence from the data stored about the disputed order; unknown fields stay empty. Null if there is no such order. */
export async function draftEvidence(
  ctx: ShopContext,
  dispute: Pick<typeof disputes.$inferSelect, "orderId" | "intentId" | "reason">,
): Promise<EvidenceDraft | null> {
  const order = await findOrder(ctx.db, dispute.orderId);
  if (!order || order.erasedAt !== null) return null;
  const timeZone = await ownerTimeZone(ctx);
  const facts = { order, timeZone, reason: dispute.reason, others: await otherOrders(ctx, order) };
  const { brandName } = await ctx.settings();
  const document = { author: brandName, date: ctx.now() };
  const [receipt, communication, policy] = await Promise.all([
    draftReceiptFile(ctx, facts, document, dispute.intentId),
    draftCommunicationFile(ctx, facts, document),
    draftPolicyFile(ctx, facts, document),
  ]);
  return {
    texts: draftTexts(ctx, facts),
    files: [receipt, ...(communication ? [communication] : []), policy],
  };
}

type OtherOrder = {
  number: number;
  createdAt: Date;
  deliveredAt: Date | null;
  totalCents: number;
  intentId: string | null;
};
type OrderFacts = { order: Order; timeZone: string; reason: string; others: OtherOrder[] };
type DocumentHead = { author: string; date: Date };

/** Paid, undisputed orders of the same address, newest first. */
async function otherOrders({ db }: ShopContext, order: Order): Promise<OtherOrder[]> {
  return db
    .select({
      ...pick(orders, "number", "createdAt", "deliveredAt", "totalCents"),
      intentId: sql<string | null>`(select intent_id from ${payments} as p
        where p.order_id = orders.id and p.status = 'succeeded' and p.order_edit_id is null limit 1)`,
    })
    .from(orders)
    .where(
      and(
        eq(sql`lower(${orders.email})`, order.email.toLowerCase()),
        ne(orders.id, order.id),
        isNotNull(orders.paidAt),
        // Replacements are named with the order that they replace.
        isNull(orders.replacesId),
        sql`not exists (select from ${disputes} where order_id = ${orders.id})`,
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(maxOrders);
}

function draftTexts({ config }: ShopContext, { order, timeZone, reason, others }: OrderFacts): EvidenceTexts {
  const day = (iso: string) => formatDay(iso, timeZone);
  const listOf = (property: (parcel: Order["shipments"][number]) => string | null) =>
    [...new Set(order.shipments.map(property).filter((value) => value !== null))].join(", ");
  const refundText = refundsText(order, timeZone);
  const isDuplicate = reason === "duplicate";
  const texts: EvidenceTexts = {
    customerName: buyerName(order),
    customerEmailAddress: order.email,
    customerPurchaseIp: "",
    billingAddress: "",
    productDescription: order.items
      .map(({ name, quantity, total }) => `${quantity} × ${name}, ${formatCents(total)}`)
      .join("\n"),
    shippingAddress: addressLines(order).join(", "),
    shippingCarrier: listOf(({ carrier }) => carrier),
    shippingDate: listOf(({ shippedAt }) => day(shippedAt)),
    shippingTrackingNumber: listOf(({ trackingNumber }) => trackingNumber),
    refundPolicyDisclosure: `The returns policy is published in the shop (${config.publicUrl}/returns-policy) and linked at its checkout. It is attached.`,
    refundRefusalExplanation: [refundText, returnsText(order, timeZone)].filter(Boolean).join(" "),
    cancellationPolicyDisclosure:
      "Until it ships, an order can be cancelled on its order page, which the confirmation email links to.",
    cancellationRebuttal: "",
    duplicateChargeId: (isDuplicate && others[0]?.intentId) || "",
    duplicateChargeExplanation: isDuplicate ? duplicateText(order, others, timeZone) : "",
    accessActivityLog: "",
    uncategorizedText: evidenceSummary({ order, timeZone, reason, others }, refundText),
  };
  for (const name of Object.keys(texts) as (keyof EvidenceTexts)[]) {
    texts[name] = withInertLinks(texts[name]).slice(0, evidenceTexts[name].max);
  }
  return texts;
}

function evidenceSummary({ order, timeZone, others }: OrderFacts, refundText: string): string {
  const day = (iso: string) => formatDay(iso, timeZone);
  const buyer = buyerName(order);
  const lines = [
    `Order #${order.number} was placed on ${formatMinute(order.createdAt, timeZone)}${buyer ? ` by ${buyer}` : ""} (${order.email}) for ${formatCents(order.totals.total)}${order.paidWith ? `, paid with ${order.paidWith}` : ""}.`,
    ...order.shipments.map(
      ({ carrier, trackingNumber, trackingUrl, shippedAt, deliveredAt }) =>
        `It was shipped on ${day(shippedAt)} with ${carrier}${trackingNumber ? `, tracking number ${trackingNumber}` : ""}${trackingUrl ? ` (${trackingUrl})` : ""}, to the address that the customer gave.${deliveredAt ? ` It was delivered on ${day(deliveredAt)}.` : ""}`,
    ),
    ...order.replacements.map(
      ({ number }) => `Units of it were sent again at no charge, as order #${number}.`,
    ),
    ...order.exchanges
      .filter(({ status }) => status !== "ended")
      .map(({ number }) => `The customer asked to exchange units of it for those of order #${number}.`),
    refundText,
    order.cancelledAt ? `It was cancelled on ${day(order.cancelledAt)}.` : "",
    others.length > 0
      ? `Other orders from the same email address, none of them disputed: ${others
          .map(
            ({ number, createdAt, deliveredAt, totalCents }) =>
              `#${number} of ${day(createdAt.toISOString())} for ${formatCents(totalCents)}${deliveredAt ? `, delivered on ${day(deliveredAt.toISOString())}` : ""}`,
          )
          .join("; ")}.`
      : "",
  ];
  return lines.filter(Boolean).join("\n");
}

function refundsText({ refunds }: Order, timeZone: string): string {
  const refunded = refunds.filter(({ status, isCredit }) => status !== "failed" && !isCredit);
  if (refunded.length === 0) return "";
  const refundTexts = refunded.map(
    ({ amount, createdAt, status }) =>
      `${formatCents(amount)} on ${formatDay(createdAt, timeZone)}${status === "pending" ? " (on its way)" : ""}`,
  );
  return `Refunded to the customer so far: ${refundTexts.join("; ")}.`;
}

function returnsText({ returns }: Order, timeZone: string): string {
  if (returns.length === 0) return "The customer has not asked for a return of this order in the shop.";
  return returns
    .map(
      ({ requestedAt, status, answer }) =>
        `The customer asked for a return on ${formatDay(requestedAt, timeZone)}; it is ${status}.${answer ? ` The shop answered: ${answer}` : ""}`,
    )
    .join(" ");
}

function duplicateText(order: Order, [other]: readonly OtherOrder[], timeZone: string): string {
  if (!other) {
    return `Order #${order.number} is the only paid order of this email address: it was charged once.`;
  }
  return `Order #${order.number} of ${formatDay(order.createdAt, timeZone)} for ${formatCents(order.totals.total)} and order #${other.number} of ${formatDay(other.createdAt.toISOString(), timeZone)} for ${formatCents(other.totalCents)} are two separate purchases, refundTexts with its own receipt and its own parcel.`;
}

/** The invoice of the disputed payment, or a receipt with the same contents. */
async function draftReceiptFile(
  ctx: ShopContext,
  { order, timeZone }: OrderFacts,
  document: DocumentHead,
  intentId: string,
): Promise<DraftedFile> {
  const [issuedInvoice] = await ctx.db
    .select({ invoice: invoices })
    .from(invoices)
    .innerJoin(
      payments,
      and(
        eq(payments.orderId, invoices.orderId),
        sql`${payments.orderEditId} is not distinct from ${invoices.orderEditId}`,
      ),
    )
    .where(and(eq(payments.intentId, intentId), eq(invoices.kind, "invoice"), isNull(invoices.voidedAt)));
  if (issuedInvoice) return { slot: "receipt", ...(await invoiceFile(ctx, issuedInvoice.invoice)) };
  const { subtotal, discount, shipping, tax, total } = order.totals;
  const sums: [string, number][] = [
    ["Goods", subtotal],
    ...(discount > 0 ? [["Discount", -discount] as [string, number]] : []),
    [`Shipping (${order.shippingOption.name})`, shipping],
    ["Tax", tax],
    ["Total paid", total],
  ];
  const parts: TextPart[] = [
    { small: `Placed ${formatMinute(order.createdAt, timeZone)}` },
    ...(order.paidAt
      ? [
          {
            small: `Paid ${formatMinute(order.paidAt, timeZone)}${order.paidWith ? `, ${order.paidWith}` : ""}`,
          },
        ]
      : []),
    { heading: "For" },
    { text: [...addressLines(order), order.email].join("\n") },
    { heading: "Goods" },
    {
      text: order.items
        .map(({ name, quantity, total: paid }) => `${quantity} × ${name}   ${formatCents(paid)}`)
        .join("\n"),
    },
    { heading: "Sums" },
    {
      text: sums
        .map(([name, cents]) => `${name}   ${cents < 0 ? "-" : ""}${formatCents(Math.abs(cents))}`)
        .join("\n"),
    },
  ];
  const bytes = await textDocument({ ...document, title: `Receipt of order #${order.number}`, parts });
  return { slot: "receipt", name: `receipt-${order.number}.pdf`, bytes };
}

/** The customer's messages, the shop's answers and the e-mails about the order; null if there are none. */
async function draftCommunicationFile(
  { db }: ShopContext,
  { order, timeZone }: OrderFacts,
  document: DocumentHead,
): Promise<DraftedFile | null> {
  const writtenMessages = await db
    .select()
    .from(contactMessages)
    .where(
      and(
        eq(sql`lower(${contactMessages.email})`, order.email.toLowerCase()),
        sql`${contactMessages.suspicion} is distinct from 'honeypot'`,
      ),
    )
    .orderBy(desc(contactMessages.number))
    .limit(maxMessages);
  const ids = writtenMessages.map(({ id }) => id);
  const replies = await db
    .select()
    .from(contactReplies)
    .where(inArray(contactReplies.messageId, ids))
    .orderBy(asc(contactReplies.createdAt));
  const { subject, text, recipient, sentAt } = messages;
  const emails = await db
    .select({ subject, text, recipient, sentAt })
    .from(messages)
    .where(
      and(
        eq(messages.orderId, order.id),
        eq(messages.channel, "email"),
        eq(messages.status, "sent"),
        notLike(messages.kind, "owner\\_%"),
        ne(messages.kind, "order_confirmation_copy"),
        isNotNull(messages.text),
      ),
    )
    .orderBy(desc(messages.sentAt))
    .limit(maxMessages);
  const at = (time: Date) => formatMinute(time.toISOString(), timeZone);
  const entries: { at: Date; parts: TextPart[] }[] = [
    ...writtenMessages.map((message) => ({
      at: message.createdAt,
      parts: [
        { heading: `${message.name} wrote (${contactReference(message.number)})` },
        { small: `${at(message.createdAt)}, from ${message.email}` },
        { text: message.message },
      ],
    })),
    ...replies.map((reply) => ({
      at: reply.createdAt,
      parts: [
        { heading: "The shop answered" },
        { small: `${at(reply.createdAt)}, to ${order.email}` },
        { text: reply.text },
      ],
    })),
    ...emails.flatMap(({ subject, text, recipient, sentAt }) =>
      sentAt === null
        ? []
        : [
            {
              at: sentAt,
              parts: [
                { heading: `Email: ${subject ?? ""}` },
                { small: `Sent ${at(sentAt)}, to ${recipient ?? order.email}` },
                { text: (text ?? "").slice(0, maxMailTextLength) },
              ],
            },
          ],
    ),
    ...order.returns.map(({ requestedAt, reason, answer, decidedAt }) => ({
      at: new Date(requestedAt),
      parts: [
        { heading: "The customer asked for a return" },
        { small: formatMinute(requestedAt, timeZone) },
        { text: reason ?? "No reason given." },
        ...(answer && decidedAt
          ? [{ small: `Answered ${formatMinute(decidedAt, timeZone)}` }, { text: answer }]
          : []),
      ],
    })),
  ];
  if (entries.length === 0) return null;
  const parts = entries.sort((a, b) => a.at.getTime() - b.at.getTime()).flatMap((entry) => entry.parts);
  const title = `Messages about order #${order.number}`;
  const bytes = await textDocument({ ...document, title, parts });
  return { slot: "customerCommunication", name: `messages-${order.number}.pdf`, bytes };
}

/** The published policy, with the date of its last edit, which may be after the order. */
async function draftPolicyFile(
  ctx: ShopContext,
  { timeZone }: OrderFacts,
  document: DocumentHead,
): Promise<DraftedFile> {
  const [{ head, blocks }, { publishedAt }] = await Promise.all([
    readPageContent(ctx, "returns-policy"),
    ctx.content("returns-policy"),
  ]);
  const changed = publishedAt ? ` Last changed ${formatDay(publishedAt.toISOString(), timeZone)}.` : "";
  const day = formatDay(document.date.toISOString(), timeZone);
  const parts: TextPart[] = [
    { small: `As shown at ${ctx.config.publicUrl}/returns-policy on ${day}.${changed}` },
    ...blocks.flatMap(blockParts),
  ];
  const bytes = await textDocument({ ...document, title: head.heading, parts });
  return { slot: "refundPolicy", name: "returns-policy.pdf", bytes };
}

function blockParts(block: Block): TextPart[] {
  switch (block.kind) {
    case "heading":
      return [{ heading: runsText(block.words) }];
    case "paragraph":
    case "quote":
      return [{ text: runsText(block.words) }];
    case "list":
      return [
        {
          text: block.items
            .map((item, index) => `${block.isNumbered ? `${index + 1}.` : "•"} ${runsText(item)}`)
            .join("\n"),
        },
      ];
    case "terms":
      return block.terms.map(({ name, words }) => ({ text: `${runsText(name)}: ${runsText(words)}` }));
    default:
      return [];
  }
}
