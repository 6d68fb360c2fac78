import type { ReactElement } from "react";
import type { Block } from "../../domain/content/blocks.ts";
import type { EmailTextKind } from "../../domain/content/emails/texts.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Heading, Link, Text } from "./elements.ts";
import type { EmailTexts } from "./email-texts.ts";
import { Action, Frame, Quote, TestModeNote, testModeNote } from "./frame.tsx";
import { linesOf } from "./one-line.ts";
import { OrderLines } from "./order-facts.tsx";
import { orderTable, paragraphs } from "./plain-text.ts";
import type { EditableTemplate, EmailOf, Template } from "./template.ts";
import { looks } from "./theme.ts";
import { previewOf, Words, wordsText } from "./words.tsx";

/** An e-mail of a few paragraphs. HTML and text part are made from it. */
type Letter = {
  title: string;
  /** Shown by inboxes beside the subject in place of the first words. */
  preheader?: string;
  /** "Hello Ada," */
  greeting?: string;
  words: Block[];
  /** Quoted below the paragraphs with its line breaks, such as the owner's answer. */
  quote?: string | null;
  action: { label: string; href: string };
  /** Below the button. */
  link?: { label: string; href: string } | null;
  /** Printed with its lines and totals. */
  order?: Order;
};

/** For letters whose texts cannot be edited. */
export function letterTemplate<K extends Email["kind"]>({
  subject,
  letter,
}: {
  subject(email: EmailOf<K>, sender: Sender): string;
  letter(email: EmailOf<K>, sender: Sender): Letter;
}): Template<EmailOf<K>> {
  return {
    subject,
    html: (email, sender) => letterHtml(sender, letter(email, sender)),
    text: (email, sender) => letterText(sender, letter(email, sender)),
  };
}

/** For letters to shoppers, whose texts the owner can edit. */
export function editableLetter<K extends EmailTextKind>({
  facts,
  subject,
  letter,
}: Pick<EditableTemplate<K>, "facts" | "subject"> & {
  letter(email: EmailOf<K>, texts: EmailTexts<K>, sender: Sender): Letter;
}): EditableTemplate<K> {
  return {
    facts,
    subject,
    html: (email, texts, sender) => letterHtml(sender, letter(email, texts, sender)),
    text: (email, texts, sender) => letterText(sender, letter(email, texts, sender)),
  };
}

/** A paragraph that the owner cannot edit. */
export function fixedText(text: string): Block {
  return { kind: "paragraph", isSmall: false, words: [{ text }] };
}

function letterHtml(sender: Sender, letter: Letter): ReactElement {
  const { title, action, link, order, words } = letter;
  return (
    <Frame sender={sender} title={title} preview={previewOf(letter.preheader ?? "", words) || title}>
      <TestModeNote sender={sender} />
      {letter.greeting && <Text {...looks.text}>{letter.greeting}</Text>}
      <Words blocks={words} sender={sender} />
      {letter.quote && <Quote text={letter.quote} />}
      <Action href={action.href}>{action.label}</Action>
      {link && (
        <Text {...looks.text}>
          <Link href={link.href} {...looks.link}>
            {link.label}
          </Link>
        </Text>
      )}
      {order && (
        <>
          <Heading as="h2" {...looks.subheading}>
            Order #{order.number}
          </Heading>
          <OrderLines order={order} sender={sender} />
        </>
      )}
    </Frame>
  );
}

function letterText(sender: Sender, letter: Letter): string {
  const { title, action, link, order } = letter;
  return paragraphs(
    sender,
    title,
    sender.isTestMode ? testModeNote : null,
    letter.greeting || null,
    ...wordsText(letter.words, sender),
    letter.quote ? linesOf(letter.quote).join("\n") : null,
    `${action.label}:\n${action.href}`,
    link ? `${link.label}:\n${link.href}` : null,
    order ? `Order #${order.number}\n${orderTable(order, sender)}` : null,
  );
}
