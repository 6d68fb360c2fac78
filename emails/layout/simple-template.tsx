import type { Block } from "../../domain/content/blocks.ts";
import type { EmailTextKind } from "../../domain/content/emails/texts.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { EmailTexts } from "./email-texts.ts";
import { Quote } from "./frame.tsx";
import { linesOf } from "./one-line.ts";
import { action, link, optionalParagraph, orderPart, type Parts, testMode, textPart } from "./parts.tsx";
import type { Content, EditableTemplate, EmailOf, Template } from "./template.ts";

/** An e-mail of a few paragraphs and a button. */
type Letter = Pick<Content, "highlight"> & {
  words: Block[];
  /** Quoted below the paragraphs with its line breaks, such as the owner's answer. */
  quote?: string | null;
  action: { label: string; href: string };
  /** Paragraphs below the button. */
  link?: { label: string; href: string } | null;
  /** An order to print with its lines and totals. */
  order?: Order;
};

/** Template of a letter whose texts cannot be edited. */
export function letterTemplate<K extends Email["kind"]>({
  subject,
  letter,
}: Pick<Template<EmailOf<K>>, "subject"> & {
  letter(email: EmailOf<K>, sender: Sender): Letter & { title: string };
}): Template<EmailOf<K>> {
  return {
    subject,
    content(email, sender) {
      const { title, highlight, ...rest } = letter(email, sender);
      return { title, highlight, parts: letterParts(rest, sender, "") };
    },
  };
}

/** Template of a letter to shoppers, whose texts the owner can edit, including heading and greeting. */
export function editableLetter<K extends EmailTextKind>({
  letter,
  ...template
}: Omit<EditableTemplate<K>, "content"> & {
  letter(email: EmailOf<K>, texts: EmailTexts<K>, sender: Sender): Letter & { title?: string };
}): EditableTemplate<K> {
  return {
    ...template,
    content(email, texts, sender) {
      const { title, highlight, ...rest } = letter(email, texts, sender);
      return { title, highlight, parts: letterParts(rest, sender, texts.optionalLine("greeting")) };
    },
  };
}

/** A paragraph that the owner cannot edit. */
export function fixedText(text: string): Block {
  return { kind: "paragraph", isSmall: false, words: [{ text }] };
}

function letterParts(letter: Letter, sender: Sender, greeting: string): Parts {
  return [
    testMode(sender),
    optionalParagraph(greeting),
    textPart(letter.words, sender),
    letter.quote ? { html: <Quote text={letter.quote} />, text: linesOf(letter.quote).join("\n") } : null,
    action(letter.action.label, letter.action.href),
    letter.link ? link(letter.link.label, letter.link.href) : null,
    letter.order ? orderPart(letter.order, sender) : null,
  ];
}
