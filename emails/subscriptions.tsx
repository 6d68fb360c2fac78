import type { WelcomeOffer } from "../domain/newsletter/newsletter.ts";
import type { NewsletterPart, Sender } from "../domain/outbox/email.ts";
import { formatCents } from "../domain/shared/money.ts";
import { Link, Section, Text } from "./layout/elements.tsx";
import { greetingName } from "./layout/greeting.ts";
import { oneLine } from "./layout/one-line.ts";
import { ItemLines } from "./layout/order-facts.tsx";
import {
  action,
  optionalParagraph,
  type Part,
  paragraph,
  productAction,
  textPart,
  unsubscribe,
} from "./layout/parts.tsx";
import { itemLines } from "./layout/plain-text.ts";
import { ProductPicture, pictureStyle } from "./layout/product-picture.tsx";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { plainTextBlocks, TextBlocks } from "./layout/text-blocks.tsx";
import { colors, elementProps, serif } from "./layout/theme.ts";

export const cartReminder: EditableTemplate<"cart_reminder"> = {
  facts: () => ({}),
  content: (email, texts, sender) => ({
    parts: [
      textPart(texts.blocks("opening"), sender),
      {
        html: <ItemLines lines={email.items} sender={sender} />,
        text: itemLines(email.items),
      },
      textPart(texts.blocks("prices"), sender, "small"),
      action(texts.line("button"), email.cartUrl),
      textPart(texts.blocks("once"), sender, "small"),
      unsubscribe(email.unsubscribeUrl),
    ],
  }),
};

export const refillReminder: EditableTemplate<"refill_reminder"> = {
  facts: ({ firstName, orderNumber, items }) => ({
    firstName: greetingName(firstName),
    orderNumber: String(orderNumber),
    goods: items.length === 1 ? (items[0]?.name ?? "") : "oil",
  }),
  content: (email, texts, sender) => ({
    parts: [
      optionalParagraph(texts.line("greeting")),
      textPart(texts.blocks("opening"), sender),
      ...refillParts(email, texts.line("button"), sender),
      textPart(texts.blocks("once"), sender, "small"),
      unsubscribe(email.unsubscribeUrl),
    ],
  }),
};

function refillParts(
  { items, buyAgainUrl }: EmailOf<"refill_reminder">,
  label: string,
  sender: Sender,
): readonly Part[] {
  const [product, ...others] = items;
  if (product && others.length === 0)
    return [productAction({ product, button: { label, href: buyAgainUrl }, sender })];
  return [
    { html: items.map((item) => <RefillItem key={item.name} item={item} sender={sender} />) },
    action(label, buyAgainUrl),
  ];
}

/** One of several products: a small picture and the name. */
function RefillItem({
  item: { name, image },
  sender,
}: {
  item: EmailOf<"refill_reminder">["items"][number];
  sender: Sender;
}) {
  return (
    <table role="presentation" width="100%" cellPadding="0" cellSpacing="0">
      <tbody>
        <tr>
          {image !== null && (
            <td className="thumb" style={{ padding: "6px 16px 6px 0", width: 72 }}>
              <ProductPicture sender={sender} image={image} alt="" size={72} />
            </td>
          )}
          <td style={{ padding: "6px 0", verticalAlign: "middle" }}>
            <Text className="ink" style={{ ...elementProps.text.style, fontWeight: 600, margin: 0 }}>
              {name}
            </Text>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Asks the address's owner to confirm the stock alert. */
export const stockAlertConfirm: EditableTemplate<"stock_alert_confirm"> = {
  facts: ({ product }) => ({ productName: product.name }),
  content: ({ product, confirmUrl }, texts, sender) => ({
    parts: [
      textPart(texts.blocks("opening"), sender),
      {
        html: (
          <Section style={{ padding: "8px 0 10px" }}>
            <ProductPicture sender={sender} image={product.image} alt="" size={160} />
          </Section>
        ),
      },
      action(texts.line("button"), confirmUrl),
      textPart(texts.blocks("rules"), sender, "small"),
      textPart(texts.blocks("stranger"), sender, "small"),
    ],
  }),
};

export const stockAlert: EditableTemplate<"stock_alert"> = {
  facts: ({ product }) => ({ productName: product.name }),
  content({ product, priceCents, productUrl, unsubscribeUrl }, texts, sender) {
    const first = texts.blocks("first");
    const price = formatCents(priceCents);
    return {
      parts: [
        textPart(texts.blocks("opening"), sender),
        productAction({
          product,
          details: {
            html: (
              <>
                <Text {...elementProps.text}>{price}</Text>
                <TextBlocks blocks={first} sender={sender} variant="small" />
              </>
            ),
            text: [`${oneLine(product.name)}, ${price}.`, ...plainTextBlocks(first, sender)].join(" "),
          },
          button: { label: texts.line("button"), href: productUrl },
          sender,
        }),
        textPart(texts.blocks("once"), sender, "small"),
        unsubscribe(unsubscribeUrl),
      ],
    };
  },
};

/** Asks the address's owner to confirm the subscription. */
export const newsletterConfirm: EditableTemplate<"newsletter_confirm"> = {
  facts: ({ offer }) => ({ offer }),
  content: ({ confirmUrl }, texts, sender) => ({
    parts: [
      textPart(texts.blocks("opening"), sender),
      action(texts.line("button"), confirmUrl),
      textPart(texts.blocks("rules"), sender, "small"),
      textPart(texts.blocks("stranger"), sender, "small"),
    ],
  }),
};

/** The first e-mail to a subscriber, with a discount code if the owner offers one. */
export const newsletterWelcome: EditableTemplate<"newsletter_welcome"> = {
  facts: ({ offer }) => ({ offer: offer?.sentence ?? null }),
  subject: ({ offer }, texts) => texts.line(offer === null ? "subject" : "subjectCode"),
  content: ({ offer, product, shopUrl, unsubscribeUrl }, texts, sender) => ({
    preview: texts.line("preheader") || offer?.sentence,
    parts: [
      textPart(texts.blocks("opening"), sender),
      offer && offerPart(offer, texts.line("howToUse")),
      product
        ? productAction({ product, button: { label: texts.line("button"), href: shopUrl }, sender })
        : action(texts.line("button"), shopUrl),
      unsubscribe(unsubscribeUrl),
    ],
  }),
};

/** A discount code with what it does. */
function offerPart({ code, sentence }: WelcomeOffer, howToUse: string): Part {
  return {
    html: (
      <Section
        className="soft"
        style={{
          backgroundColor: colors.creamSoft,
          borderRadius: 6,
          margin: "20px 0 8px",
          padding: "18px 12px",
          textAlign: "center",
        }}
      >
        <Text
          className="heading"
          style={{
            color: colors.forest,
            fontFamily: serif,
            fontSize: 24,
            letterSpacing: "0.03em",
            lineHeight: "32px",
            margin: "0 0 6px",
          }}
        >
          {code}
        </Text>
        <Text className="ink" style={{ ...elementProps.text.style, margin: "0 0 4px" }}>
          {sentence}
        </Text>
        <Text className="muted" style={{ ...elementProps.small.style, margin: 0 }}>
          {howToUse}
        </Text>
      </Section>
    ),
    text: `Your code: ${code}\n${sentence} ${howToUse}`,
  };
}

/** A picture as wide as the text; the plain-text part has its description instead. */
function picturePart({ url, alt, width, height }: Extract<NewsletterPart, { kind: "picture" }>): Part {
  return {
    html: (
      <Section style={{ padding: "8px 0 16px" }}>
        <img src={url} alt={alt} width={width} height={height} className="soft muted" style={pictureStyle} />
      </Section>
    ),
    text: `(Picture: ${oneLine(alt)})`,
  };
}

/** A newsletter: the owner's text with pictures, a product with its picture, a code and a button. */
export const newsletter: Template<EmailOf<"newsletter">> = {
  subject: ({ subject, isTest }) => (isTest ? `Test: ${subject}` : subject),
  content: ({ subject, heading, preheader, product, button, offer, ...email }, sender) => ({
    title: heading || subject,
    preview: preheader,
    parts: [
      ...email.parts.map((part) =>
        part.kind === "words" ? textPart(part.blocks, sender) : picturePart(part),
      ),
      product && {
        html: (
          <table role="presentation" cellPadding="0" cellSpacing="0" style={{ margin: "8px 0 12px" }}>
            <tbody>
              <tr>
                <td style={{ paddingRight: 20, verticalAlign: "middle" }}>
                  <Link href={product.url}>
                    <ProductPicture sender={sender} image={product.image} alt={product.name} size={144} />
                  </Link>
                </td>
                <td style={{ verticalAlign: "middle" }}>
                  <Text style={{ ...elementProps.text.style, margin: 0 }} className="ink">
                    <Link href={product.url} className="ink" style={{ color: colors.ink, fontWeight: 600 }}>
                      {product.name}
                    </Link>
                    <br />
                    {formatCents(product.priceCents)}
                  </Text>
                </td>
              </tr>
            </tbody>
          </table>
        ),
        text: `${oneLine(product.name)}, ${formatCents(product.priceCents)}:\n${product.url}`,
      },
      offer && offerPart(offer, "Enter it at checkout."),
      button && action(button.label, button.url),
      paragraph(`You get this email because you signed up for news from ${sender.brandName}.`, "small"),
      unsubscribe(email.unsubscribeUrl),
    ],
  }),
};
