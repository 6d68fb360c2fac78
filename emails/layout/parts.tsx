import type { ReactNode } from "react";
import type { Block } from "../../domain/content/blocks.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Sender } from "../../domain/outbox/email.ts";
import { Button, Link, Section, Text } from "./elements.tsx";
import { Lines, Quote, TestModeNote, testModeNote } from "./frame.tsx";
import { oneLine, splitLines } from "./one-line.ts";
import { OrderLines } from "./order-facts.tsx";
import { orderTable } from "./plain-text.ts";
import { ProductPicture } from "./product-picture.tsx";
import { firstParagraph, plainTextBlocks, TextBlocks } from "./text-blocks.tsx";
import { elementProps } from "./theme.ts";

/** Side of a product's picture in pixels; on phones it is as wide as the text. */
const pictureSize = 240;
const productStyles = {
  table: { margin: "18px 0 20px" },
  picture: { paddingRight: 28, width: pictureSize },
  text: { verticalAlign: "middle" },
  name: { ...elementProps.subheading.style, fontSize: 22, lineHeight: "28px", margin: "0 0 6px" },
  button: { paddingTop: 10 },
} as const;

/** A piece of an e-mail: its HTML, and its paragraphs in the text part. */
export type Part = {
  html?: ReactNode;
  text?: string | readonly string[];
  /** Preview text in inboxes if the e-mail has no preview line. */
  preview?: string;
};
/** A piece that is in both the HTML and the text part. */
type WholePart = { html: ReactNode; text: string };
export type Parts = readonly (Part | null | false)[];

export function paragraph(text: string, variant: "text" | "small" = "text"): WholePart {
  return { html: <Text {...elementProps[variant]}>{oneLine(text)}</Text>, text: oneLine(text) };
}

export const optionalParagraph = (text: string | null) => (text ? paragraph(text) : null);

export function textPart(blocks: readonly Block[], sender: Sender, variant: "text" | "small" = "text"): Part {
  return {
    html: <TextBlocks blocks={blocks} sender={sender} variant={variant} />,
    text: plainTextBlocks(blocks, sender),
    preview: firstParagraph(blocks),
  };
}

export function action(label: string, href: string): WholePart {
  return {
    html: (
      <Section style={{ padding: "14px 0 22px" }}>
        <Button href={href} label={label} />
      </Section>
    ),
    text: `${label}:\n${href}`,
  };
}

/** A product's picture with its name, `details` and the button on its right, or below it on phones. */
export function productAction({
  product: { name, image },
  details,
  button: { label, href },
  sender,
}: {
  product: { name: string; image: string | null };
  /** Between name and button; its text also has to name the product. */
  details?: WholePart;
  button: { label: string; href: string };
  sender: Sender;
}): Part {
  return {
    html: (
      <table role="presentation" width="100%" cellPadding="0" cellSpacing="0" style={productStyles.table}>
        <tbody>
          <tr>
            {image !== null && (
              <td className="stack" style={productStyles.picture}>
                <Link href={href}>
                  <ProductPicture sender={sender} image={image} alt={name} size={pictureSize} />
                </Link>
              </td>
            )}
            <td className="stack" style={productStyles.text}>
              <Text className="heading" style={productStyles.name}>
                {name}
              </Text>
              {details?.html}
              <Section style={productStyles.button}>
                <Button href={href} label={label} />
              </Section>
            </td>
          </tr>
        </tbody>
      </table>
    ),
    text: [...(details ? [details.text] : []), `${label}:\n${href}`],
  };
}

export function link(label: string, href: string, variant: "text" | "small" = "text"): WholePart {
  return {
    html: (
      <Text {...elementProps[variant]}>
        <Link href={href} {...elementProps.link}>
          {label}
        </Link>
      </Text>
    ),
    text: `${label}:\n${href}`,
  };
}

export const unsubscribe = (href: string) => link("Unsubscribe", href, "small");

/** A message that the e-mail answers or is about. */
export function quote(text: string): WholePart {
  const lines = splitLines(text).map((line) => `> ${line}`);
  return { html: <Quote text={text} />, text: lines.join("\n") };
}

/** An answer typed by the owner, with its paragraphs and line breaks. */
export function answerPart(text: string): WholePart {
  return {
    html: text.split(/(?:\r\n?|\n){2,}/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
      <Text key={index} {...elementProps.text}>
        <Lines lines={splitLines(part)} />
      </Text>
    )),
    text: splitLines(text).join("\n"),
  };
}

export function testMode(sender: Sender): WholePart | null {
  return sender.isTestMode ? { html: <TestModeNote />, text: testModeNote } : null;
}

/** An order's lines and totals. */
export function orderPart(order: Order, sender: Sender): WholePart {
  return {
    html: (
      <>
        <h2 {...elementProps.subheading}>Order #{order.number}</h2>
        <OrderLines order={order} sender={sender} />
      </>
    ),
    text: `Order #${order.number}\n${orderTable(order, sender)}`,
  };
}
