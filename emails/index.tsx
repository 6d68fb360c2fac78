import type { ParsedEmail } from "../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, isEmailTextKind } from "../domain/content/emails/texts.ts";
import type { Email, RenderedEmail, Sender } from "../domain/outbox/email.ts";
import { returnsSentence } from "../domain/settings/facts.ts";
import { contactReceipt, contactReply, ownerContact, ownerQuestion, questionAnswer } from "./contact.tsx";
import { Link, Text } from "./layout/elements.tsx";
import { fillTexts } from "./layout/email-texts.ts";
import { Frame } from "./layout/frame.tsx";
import { renderToHtml } from "./layout/html.ts";
import { oneLine, splitLines } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import type { Content, EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { elementProps } from "./layout/theme.ts";
import { orderConfirmation } from "./order-confirmation.tsx";
import {
  addressChanged,
  exchangeStarted,
  itemsChanged,
  itemsToPay,
  orderCancelled,
  orderDelivered,
  orderShipped,
  parcelCorrected,
  parcelDelayed,
  refundSent,
  replacementSent,
} from "./order-updates.tsx";
import { ownerIssue, ownerLowStock, ownerSecurity, ownerSummary, testEmail } from "./owner/alerts.tsx";
import { newOrder, orderChange, textFailed } from "./owner/orders.tsx";
import {
  dataDeleted,
  dataDeletion,
  dataExport,
  orderLookup,
  panelInvitation,
  paymentLink,
} from "./requests.tsx";
import {
  returnAnswered,
  returnDecided,
  returnLabel,
  returnRequested,
  withdrawalReceived,
} from "./returns.tsx";
import { ownerReview, reviewRequest } from "./reviews.tsx";
import {
  cartReminder,
  newsletter,
  newsletterConfirm,
  newsletterWelcome,
  refillReminder,
  stockAlert,
  stockAlertConfirm,
} from "./subscriptions.tsx";

const editableTemplates: { [K in EmailTextKind]: EditableTemplate<K> } = {
  order_confirmation: orderConfirmation,
  order_shipped: orderShipped,
  parcel_delayed: parcelDelayed,
  order_delivered: orderDelivered,
  parcel_corrected: parcelCorrected,
  address_changed: addressChanged,
  order_called_off: orderCancelled,
  refund_sent: refundSent,
  return_requested: returnRequested,
  return_decided: returnDecided,
  return_answered: returnAnswered,
  return_label: returnLabel,
  withdrawal_received: withdrawalReceived,
  order_lookup: orderLookup,
  data_export: dataExport,
  data_deletion: dataDeletion,
  data_deleted: dataDeleted,
  contact_receipt: contactReceipt,
  contact_reply: contactReply,
  question_answer: questionAnswer,
  cart_reminder: cartReminder,
  payment_link: paymentLink,
  items_to_pay: itemsToPay,
  items_changed: itemsChanged,
  replacement_sent: replacementSent,
  exchange_begun: exchangeStarted,
  review_request: reviewRequest,
  stock_alert_confirm: stockAlertConfirm,
  stock_alert: stockAlert,
  refill_reminder: refillReminder,
  newsletter_confirm: newsletterConfirm,
  newsletter_welcome: newsletterWelcome,
};

/** E-mails without editable texts: those to the owner and the panel's users, and newsletters, whose text is written for each. */
type FixedKind = Exclude<Email["kind"], EmailTextKind>;
const fixedTemplates: { [K in FixedKind]: Template<EmailOf<K>> } = {
  panel_invitation: panelInvitation,
  test_email: testEmail,
  owner_new_order: newOrder,
  owner_order_change: orderChange,
  owner_text_failed: textFailed,
  owner_attention: ownerIssue,
  owner_low_stock: ownerLowStock,
  owner_contact: ownerContact,
  owner_review: ownerReview,
  owner_question: ownerQuestion,
  owner_summary: ownerSummary,
  owner_security: ownerSecurity,
  newsletter,
};

/** Without it, older mail programs use quirks mode. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** Renders an e-mail. `texts` are the editable ones, null for a kind without them; throws if a required one is empty. */
export async function renderEmail(
  email: Email,
  sender: Sender,
  texts: ParsedEmail | null,
): Promise<RenderedEmail> {
  const { kind } = email;
  if (!isEmailTextKind(kind)) return renderFixed(kind, email, sender);
  if (texts === null) throw new Error(`${kind} has no texts`);
  return renderEditable(kind, email, sender, texts);
}

function renderFixed<K extends FixedKind>(kind: K, email: Email, sender: Sender): RenderedEmail {
  const { subject, content } = fixedTemplates[kind];
  const typedEmail = email as EmailOf<K>;
  return render(subject(typedEmail, sender), content(typedEmail, sender), sender, kind);
}

function renderEditable<K extends EmailTextKind>(
  kind: K,
  email: Email,
  sender: Sender,
  parsed: ParsedEmail,
): RenderedEmail {
  const { facts, subject, content } = editableTemplates[kind];
  const typedEmail = email as EmailOf<K>;
  const texts = fillTexts(kind, parsed, { ...facts(typedEmail, sender), brand: sender.brandName });
  const { title = texts.line("heading"), preview, ...rest } = content(typedEmail, texts, sender);
  return render(
    subject ? subject(typedEmail, texts) : texts.line("subject"),
    { title, preview: preview || texts.optionalLine("preheader"), ...rest },
    sender,
    kind,
  );
}

/** E-mails about delivered goods: their footer links to the returns policy. Others explain returns in their text. */
const returnable: readonly Email["kind"][] = ["order_confirmation", "order_shipped"];

function render(subject: string, content: Content, sender: Sender, kind: Email["kind"]): RenderedEmail {
  const { title, highlight = null, isTitleInText = true } = content;
  const isReturnable = returnable.includes(kind);
  const parts = content.parts.filter((part) => part !== null && part !== false);
  const opening = parts.find((part) => part.preview)?.preview;
  const preview = content.preview || [highlight, opening].filter(Boolean).join(". ") || title;
  const html = (
    <Frame
      sender={sender}
      title={title}
      highlight={highlight}
      preview={preview}
      foot={<Foot sender={sender} isReturnable={isReturnable} />}
    >
      {parts.map((part) => part.html)}
    </Frame>
  );
  return {
    subject,
    html: doctype + withWholeSizes(renderToHtml(html)),
    text: paragraphs(
      isTitleInText ? oneLine(title) : null,
      highlight,
      ...parts.flatMap(({ text }) => text ?? []),
      ...footText(sender, isReturnable),
    ),
  };
}

/** Keeps "1 ×" with its product, and sizes such as "2 fl oz / 60 ml": mail programs do not support the properties that balance lines. */
const withWholeSizes = (html: string): string =>
  html.replace(/\d (?:× |(?:fl )?(?:oz|ml|g)\b(?: \/ \d+ (?:ml|g)\b)?)(?=[^<>]*<)/g, (size) =>
    size.replaceAll(" ", "\u00a0"),
  );

/** Style of sentences and links that are never broken, so that each is on one line if they do not all fit on one. */
const unbroken = { whiteSpace: "nowrap" } as const;
const unbrokenLink = { ...elementProps.link.style, ...unbroken };

const questions = "Questions? Just reply to this email.";

/** Sender and contact for shoppers, with returns if `isReturnable`; only the shop's name for the owner. */
function Foot({ sender, isReturnable }: { sender: Sender; isReturnable: boolean }) {
  const { publicUrl, replyTo, seller } = sender;
  const host = new URL(publicUrl).host;
  return (
    <>
      {(replyTo !== null || seller) && (
        <Text {...elementProps.small}>
          {replyTo !== null && (
            <>
              <span style={unbroken}>{questions}</span>{" "}
            </>
          )}
          {seller?.phone && (
            <>
              {/* On one line, to be read and dialed. */}
              <span style={unbroken}>{callUs(seller.phone)}</span>{" "}
            </>
          )}
          {seller && (
            <Link href={`${publicUrl}/contact`} style={unbrokenLink} className={elementProps.link.className}>
              Help and contact
            </Link>
          )}
        </Text>
      )}
      {seller && isReturnable && (
        <Text {...elementProps.small}>
          {returnsSentence(seller.returns)}{" "}
          <Link href={`${publicUrl}/returns-policy`} {...elementProps.link}>
            Returns
          </Link>
        </Text>
      )}
      <Text {...elementProps.small}>
        {sellerLine(sender)}
        <br />
        <Link href={publicUrl} {...elementProps.link}>
          {host}
        </Link>
      </Text>
    </>
  );
}

/** The footer of the text part, as paragraphs. */
function footText(sender: Sender, isReturnable: boolean): (string | null)[] {
  const { publicUrl, replyTo, seller } = sender;
  const contacts = [replyTo === null ? null : questions, seller?.phone ? callUs(seller.phone) : null];
  return [
    contacts.filter((contact) => contact !== null).join(" ") || null,
    seller && isReturnable ? `${returnsSentence(seller.returns)}\n${publicUrl}/returns-policy` : null,
    `${sellerLine(sender)}\n${publicUrl}`,
  ];
}

const callUs = (phone: string) => `Call us: ${oneLine(phone)}.`;

/** "Palmira Oils LLC, 1 Main St, Austin, TX 78701, USA" */
function sellerLine({ brandName, seller }: Sender): string {
  const address = seller?.address ? splitLines(seller.address).filter((line) => line !== "") : [];
  return [seller?.legalName ?? brandName, ...address].map(oneLine).join(", ");
}
