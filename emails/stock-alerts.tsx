import { formatCents } from "../domain/shared/money.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EditableTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

/** Asks the address's owner to confirm the stock alert. */
export const stockAlertConfirm: EditableTemplate<"stock_alert_confirm"> = {
  facts: ({ product }) => ({ productName: product.name }),
  subject: (_, texts) => texts.line("subject"),
  html: ({ product, confirmUrl }, texts, sender) => (
    <Frame
      sender={sender}
      title={texts.line("heading")}
      preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
    >
      <Words blocks={texts.blocks("opening")} sender={sender} />
      <Section style={{ padding: "8px 0 0" }}>
        <ProductPicture sender={sender} image={product.image} alt="" size={160} />
      </Section>
      <Action href={confirmUrl}>{texts.line("button")}</Action>
      <Words blocks={texts.blocks("rules")} sender={sender} look="small" />
      <Words blocks={texts.blocks("stranger")} sender={sender} look="small" />
    </Frame>
  ),
  text: ({ confirmUrl }, texts, sender) =>
    paragraphs(
      sender,
      texts.line("heading"),
      ...wordsText(texts.blocks("opening"), sender),
      `${texts.line("button")}:\n${confirmUrl}`,
      ...wordsText(texts.blocks("rules"), sender),
      ...wordsText(texts.blocks("stranger"), sender),
    ),
};

/** The product is back in stock. */
export const stockAlert: EditableTemplate<"stock_alert"> = {
  facts: ({ product }) => ({ productName: product.name }),
  subject: (_, texts) => texts.line("subject"),
  html: ({ product: { name, image }, priceCents, productUrl, unsubscribeUrl }, texts, sender) => (
    <Frame
      sender={sender}
      title={texts.line("heading")}
      preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
    >
      <Words blocks={texts.blocks("opening")} sender={sender} />
      <Section style={{ padding: "8px 0 4px" }}>
        <ProductPicture sender={sender} image={image} alt={name} size={280} />
      </Section>
      <Text className="ink" style={{ ...looks.text.style, fontWeight: 600, margin: "8px 0 0" }}>
        {name}, {formatCents(priceCents)}
      </Text>
      <Words blocks={texts.blocks("first")} sender={sender} />
      <Action href={productUrl}>{texts.line("button")}</Action>
      <Words blocks={texts.blocks("once")} sender={sender} look="small" />
      <Unsubscribe href={unsubscribeUrl} />
    </Frame>
  ),
  text: ({ product, priceCents, productUrl, unsubscribeUrl }, texts, sender) =>
    paragraphs(
      sender,
      texts.line("heading"),
      ...wordsText(texts.blocks("opening"), sender),
      [
        `${oneLine(product.name)}, ${formatCents(priceCents)}.`,
        ...wordsText(texts.blocks("first"), sender),
      ].join(" "),
      `${texts.line("button")}:\n${productUrl}`,
      ...wordsText(texts.blocks("once"), sender),
      unsubscribeLine(unsubscribeUrl),
    ),
};
