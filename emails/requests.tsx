import { formatDay, formatShort } from "../domain/orders/order-text.ts";
import type { Sender } from "../domain/outbox/email.ts";
import { erasureFacts } from "../domain/privacy/erasure-facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import type { EmailTexts } from "./layout/email-texts.ts";
import { greetingName, payBy } from "./layout/greeting.ts";
import { ItemLines } from "./layout/order-facts.tsx";
import { action, optionalParagraph, type Part, paragraph, testMode, textPart } from "./layout/parts.tsx";
import { itemLines } from "./layout/plain-text.ts";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { elementProps } from "./layout/theme.ts";

export const paymentLink: EditableTemplate<"payment_link"> = {
  facts: ({ name, totalCents, expiresAt }, { timeZone }) => ({
    firstName: greetingName(name),
    total: formatCents(totalCents),
    payUntil: formatShort(expiresAt, timeZone, "day"),
  }),
  content: ({ items, discount, payUrl, expiresAt }, texts, sender) => ({
    highlight: payBy(expiresAt, sender.timeZone),
    parts: [
      testMode(sender),
      optionalParagraph(texts.optionalLine("greeting")),
      textPart(texts.blocks("opening"), sender),
      {
        html: <ItemLines lines={items} discount={discount} sender={sender} />,
        text: itemLines(items, discount),
      },
      textPart(texts.blocks("closing"), sender),
      action(texts.line("button"), payUrl),
    ],
  }),
};

export const orderLookup = oneTimeLink(({ lookupUrl }: EmailOf<"order_lookup">) => lookupUrl);
export const dataExport = oneTimeLink(({ dataUrl }: EmailOf<"data_export">) => dataUrl);
export const dataDeletion = oneTimeLink(({ dataUrl }: EmailOf<"data_deletion">) => dataUrl);

type LinkTexts = EmailTexts<"order_lookup" | "data_export" | "data_deletion">;

/** A single-use link that proves access to the mailbox. */
function oneTimeLink<E>(getHref: (email: E) => string) {
  return {
    facts: () => ({}),
    content: (email: E, texts: LinkTexts, sender: Sender) => ({
      parts: [
        textPart(texts.blocks("opening"), sender),
        action(texts.line("button"), getHref(email)),
        textPart(texts.blocks("rules"), sender),
        textPart(texts.blocks("stranger"), sender, "small"),
      ],
    }),
  };
}

export const dataDeleted: EditableTemplate<"data_deleted"> = {
  facts: () => ({}),
  subject: ({ kept }, texts) => texts.line(kept.length > 0 ? "subjectKept" : "subject"),
  content({ kept }, texts, sender) {
    const keepsOrders = kept.length > 0;
    const keptOrders = kept.map(({ number, because }) => `Order #${number}, because ${because}.`);
    return {
      title: texts.line(keepsOrders ? "headingKept" : "heading"),
      parts: [
        textPart(texts.blocks(keepsOrders ? "openingKept" : "opening"), sender),
        keepsOrders && listPart(keptOrders),
        keepsOrders && textPart(texts.blocks("rest"), sender),
        listPart(erasureFacts.kept, texts.line("stays")),
        textPart(texts.blocks("last"), sender, "small"),
      ],
    };
  },
};

/** A bulleted list; `intro`: the line above it. */
function listPart(lines: readonly string[], intro?: string): Part {
  return {
    html: (
      <>
        {intro !== undefined && paragraph(intro).html}
        <ul className={elementProps.text.className} style={{ ...elementProps.text.style, paddingLeft: 20 }}>
          {lines.map((line) => (
            <li key={line} style={{ marginBottom: 6 }}>
              {line}
            </li>
          ))}
        </ul>
      </>
    ),
    text: [...(intro === undefined ? [] : [intro]), ...lines.map((line) => `- ${line}`)].join("\n"),
  };
}

/** The single-use link into the panel. */
export const panelInvitation: Template<EmailOf<"panel_invitation">> = {
  subject: ({ isNew }, { brandName }) =>
    isNew ? `You’re invited to the panel of ${brandName}` : `Your new link into the panel of ${brandName}`,
  content({ isNew, name, invitedBy, role, expiresAt, joinUrl }, { brandName, timeZone }) {
    const reasonText = isNew
      ? `${invitedBy} invites you to work in the admin panel of ${brandName} as ${role.toLowerCase()}.`
      : `${invitedBy} sends you a new link into the admin panel of ${brandName}.`;
    return {
      title: isNew ? `Welcome, ${name}` : `Your new link, ${name}`,
      preview: reasonText,
      parts: [
        paragraph(reasonText),
        paragraph(
          "It opens the panel and asks you to add a passkey: from then on your fingerprint, face or device code signs you in. There is no password.",
        ),
        action("Open the panel", joinUrl),
        paragraph(
          `The link works once, until ${formatDay(expiresAt, timeZone)}. Don’t forward this email: whoever opens the link can sign in as you.`,
        ),
        paragraph("Weren’t you expecting this? Then ignore it, and tell whoever runs the shop.", "small"),
      ],
    };
  },
};
