import type { ReactElement } from "react";
import type { Block } from "../../domain/content/blocks.ts";
import type { EmailTextKind } from "../../domain/content/emails/texts.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Heading, Link, Text } from "./elements.ts";
import { Action, Frame, Quote, TestModeNote, testModeNote } from "./frame.tsx";
import { linesOf } from "./one-line.ts";
import { OrderLines } from "./order-facts.tsx";
import { orderTable, paragraphs } from "./plain-text.ts";
import type { Said } from "./said.ts";
import type { EmailOf, Template, WordedTemplate } from "./template.ts";
import { looks } from "./theme.ts";
import { previewOf, Words, wordsText } from "./words.tsx";

/** News of an order in a few paragraphs: HTML and text are made of the same words. */
type Letter = {
  title: string;
  /** What inboxes show beside the subject, if not the first words. */
  preheader?: string;
  /** "Hello Ada," */
  greeting?: string;
  words: Block[];
  /** Below them: what the owner wrote, an address say, with its line breaks. */
  quote?: string | null;
  /** The one button. */
  action: { label: string; href: string };
  /** Another place to go, below it. */
  link?: { label: string; href: string } | null;
  /** Its lines and totals, where they help. */
  order?: Order;
};

/** A letter whose words the program alone has. */
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

/** A letter to a shopper. */
export function wordedLetter<K extends EmailTextKind>({
  facts,
  subject,
  letter,
}: Pick<WordedTemplate<K>, "facts" | "subject"> & {
  letter(email: EmailOf<K>, said: Said<K>, sender: Sender): Letter;
}): WordedTemplate<K> {
  return {
    facts,
    subject,
    html: (email, said, sender) => letterHtml(sender, letter(email, said, sender)),
    text: (email, said, sender) => letterText(sender, letter(email, said, sender)),
  };
}

/** A paragraph of the program's own words. */
export function own(text: string): Block {
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
