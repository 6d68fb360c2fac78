import type { Block } from "../../domain/content/blocks.ts";
import type { EmailTextKind } from "../../domain/content/emails/texts.ts";
import type { Order } from "../../domain/orders/order.ts";
import { unitsText } from "../../domain/orders/order-edit.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { EmailTexts } from "./email-texts.ts";
import { Quote } from "./frame.tsx";
import { oneLine, splitLines } from "./one-line.ts";
import { type LabeledItems, LabeledLines } from "./order-facts.tsx";
import {
  action,
  link,
  optionalParagraph,
  orderPart,
  type Part,
  type Parts,
  testMode,
  textPart,
} from "./parts.tsx";
import type { Content, EditableTemplate, EmailOf, Template } from "./template.ts";

/** An e-mail of a few paragraphs and a button. */
type SimpleEmail = Pick<Content, "highlight"> & {
  blocks: Block[];
  /** Items below the paragraphs, and the paragraphs below them; a label without items is left out. */
  items?: LabeledItems;
  closing?: Block[];
  /** Quoted below the paragraphs with its line breaks, such as the owner's answer. */
  quote?: string | null;
  action: { label: string; href: string };
  /** A link below the button. */
  link?: { label: string; href: string } | null;
  /** An order to print with its lines and totals. */
  order?: Order;
};

/** Template of a simple e-mail whose texts cannot be edited. */
export function simpleTemplate<K extends Email["kind"]>({
  subject,
  content,
}: Pick<Template<EmailOf<K>>, "subject"> & {
  content(email: EmailOf<K>, sender: Sender): SimpleEmail & { title: string };
}): Template<EmailOf<K>> {
  return {
    subject,
    content(email, sender) {
      const { title, highlight, ...rest } = content(email, sender);
      return { title, highlight, parts: simpleParts(rest, sender, "") };
    },
  };
}

/** Template of a simple e-mail to shoppers whose texts the owner can edit, including heading and greeting. */
export function editableTemplate<K extends EmailTextKind>({
  content,
  ...template
}: Omit<EditableTemplate<K>, "content"> & {
  content(email: EmailOf<K>, texts: EmailTexts<K>, sender: Sender): SimpleEmail & { title?: string };
}): EditableTemplate<K> {
  return {
    ...template,
    content(email, texts, sender) {
      const { title, highlight, ...rest } = content(email, texts, sender);
      return { title, highlight, parts: simpleParts(rest, sender, texts.optionalLine("greeting")) };
    },
  };
}

/** A paragraph that the owner cannot edit. */
export function fixedText(text: string): Block {
  return { kind: "paragraph", isSmall: false, words: [{ text }] };
}

function itemsPart(groups: LabeledItems): Part {
  const nonEmptyGroups = groups.filter(([, items]) => items.length > 0);
  return {
    html: <LabeledLines groups={nonEmptyGroups} />,
    text: nonEmptyGroups.map(([label, items]) => `${label}: ${oneLine(unitsText(items))}`).join("\n"),
  };
}

function simpleParts(content: SimpleEmail, sender: Sender, greeting: string): Parts {
  return [
    testMode(sender),
    optionalParagraph(greeting),
    textPart(content.blocks, sender),
    content.items ? itemsPart(content.items) : null,
    content.closing ? textPart(content.closing, sender) : null,
    content.quote
      ? { html: <Quote text={content.quote} />, text: splitLines(content.quote).join("\n") }
      : null,
    action(content.action.label, content.action.href),
    content.link ? link(content.link.label, content.link.href) : null,
    content.order ? orderPart(content.order, sender) : null,
  ];
}
