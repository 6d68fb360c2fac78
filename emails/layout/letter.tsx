import type { ReactElement } from "react";
import type { Order } from "../../domain/orders/order.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Heading, Link, Text } from "./elements.ts";
import { Action, Frame, Quote, TestModeNote, testModeNote } from "./frame.tsx";
import { hello } from "./hello.ts";
import { linesOf, oneLine } from "./one-line.ts";
import { OrderLines } from "./order-facts.tsx";
import { orderTable, paragraphs } from "./plain-text.ts";
import type { EmailOf, Template } from "./template.ts";
import { looks } from "./theme.ts";

/** News of an order in a few paragraphs: HTML and text are made of the same words. */
type Letter = {
  title: string;
  /** Whom it greets: the buyer's whole name, or "". */
  to?: string;
  paragraphs: string[];
  /** Below them: what the owner wrote, an address say, with its line breaks. */
  quote?: string | null;
  /** The one button. */
  action: { label: string; href: string };
  /** Another place to go, below it. */
  link?: { label: string; href: string } | null;
  /** Its lines and totals, where they help. */
  order?: Order;
};

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

function letterHtml(sender: Sender, letter: Letter): ReactElement {
  const { title, action, link, order } = letter;
  return (
    <Frame sender={sender} title={title} preview={letter.paragraphs[0] ?? title}>
      <TestModeNote sender={sender} />
      {letter.to !== undefined && <Text {...looks.text}>{hello(letter.to)}</Text>}
      {letter.paragraphs.map((words) => (
        <Text key={words} {...looks.text}>
          {words}
        </Text>
      ))}
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
    letter.to === undefined ? null : hello(letter.to),
    ...letter.paragraphs.map(oneLine),
    letter.quote ? linesOf(letter.quote).join("\n") : null,
    `${action.label}:\n${action.href}`,
    link ? `${link.label}:\n${link.href}` : null,
    order ? `Order #${order.number}\n${orderTable(order, sender)}` : null,
  );
}
