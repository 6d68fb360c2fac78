import { formatCents } from "../domain/shared/money.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { WordedTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

/** Was it really the address's owner who asked? */
export const stockAlertConfirm: WordedTemplate<"stock_alert_confirm"> = {
  facts: ({ product }) => ({ productName: product.name }),
  subject: (_, said) => said.line("subject"),
  html: ({ product, confirmUrl }, said, sender) => (
    <Frame
      sender={sender}
      title={said.line("heading")}
      preview={previewOf(said.line("preheader"), said.words("opening"))}
    >
      <Words blocks={said.words("opening")} sender={sender} />
      <Section style={{ padding: "8px 0 0" }}>
        <ProductPicture sender={sender} image={product.image} alt="" size={160} />
      </Section>
      <Action href={confirmUrl}>{said.line("button")}</Action>
      <Words blocks={said.words("rules")} sender={sender} look="small" />
      <Words blocks={said.words("stranger")} sender={sender} look="small" />
    </Frame>
  ),
  text: ({ confirmUrl }, said, sender) =>
    paragraphs(
      sender,
      said.line("heading"),
      ...wordsText(said.words("opening"), sender),
      `${said.line("button")}:\n${confirmUrl}`,
      ...wordsText(said.words("rules"), sender),
      ...wordsText(said.words("stranger"), sender),
    ),
};

/** What was waited for can be bought. */
export const stockAlert: WordedTemplate<"stock_alert"> = {
  facts: ({ product }) => ({ productName: product.name }),
  subject: (_, said) => said.line("subject"),
  html: ({ product: { name, image }, priceCents, productUrl, unsubscribeUrl }, said, sender) => (
    <Frame
      sender={sender}
      title={said.line("heading")}
      preview={previewOf(said.line("preheader"), said.words("opening"))}
    >
      <Words blocks={said.words("opening")} sender={sender} />
      <Section style={{ padding: "8px 0 4px" }}>
        <ProductPicture sender={sender} image={image} alt={name} size={280} />
      </Section>
      <Text className="ink" style={{ ...looks.text.style, fontWeight: 600, margin: "8px 0 0" }}>
        {name}, {formatCents(priceCents)}
      </Text>
      <Words blocks={said.words("first")} sender={sender} />
      <Action href={productUrl}>{said.line("button")}</Action>
      <Words blocks={said.words("once")} sender={sender} look="small" />
      <Unsubscribe href={unsubscribeUrl} />
    </Frame>
  ),
  text: ({ product, priceCents, productUrl, unsubscribeUrl }, said, sender) =>
    paragraphs(
      sender,
      said.line("heading"),
      ...wordsText(said.words("opening"), sender),
      [
        `${oneLine(product.name)}, ${formatCents(priceCents)}.`,
        ...wordsText(said.words("first"), sender),
      ].join(" "),
      `${said.line("button")}:\n${productUrl}`,
      ...wordsText(said.words("once"), sender),
      unsubscribeLine(unsubscribeUrl),
    ),
};
