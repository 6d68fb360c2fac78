import { formatCents } from "../domain/shared/money.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EmailOf, Template } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";

const confirmTitle = "One tap and you’re on the list";
const confirmLabel = "Yes, email me";
const stranger =
  "Didn’t ask for this? Then somebody typed your address by mistake. Ignore this email and you won’t hear from us about it again.";
const confirmRules = "The link works for a week.";

const confirmQuestion = (name: string) =>
  `You’d like to know when ${oneLine(name)} is back in stock. Please confirm that this is your address, and we’ll email you once, as soon as it is.`;

/** Was it really the address's owner who asked? */
export const stockAlertConfirm: Template<EmailOf<"stock_alert_confirm">> = {
  subject: ({ product }) => `Confirm: an email when ${oneLine(product.name)} is back`,
  html: (email, sender) => (
    <Frame sender={sender} title={confirmTitle} preview={confirmQuestion(email.product.name)}>
      <Text {...looks.text}>{confirmQuestion(email.product.name)}</Text>
      <Section style={{ padding: "8px 0 0" }}>
        <ProductPicture sender={sender} image={email.product.image} alt="" size={160} />
      </Section>
      <Action href={email.confirmUrl}>{confirmLabel}</Action>
      <Text {...looks.small}>{confirmRules}</Text>
      <Text {...looks.small}>{stranger}</Text>
    </Frame>
  ),
  text: ({ product, confirmUrl }, sender) =>
    paragraphs(
      sender,
      confirmTitle,
      confirmQuestion(product.name),
      `${confirmLabel}:\n${confirmUrl}`,
      confirmRules,
      stranger,
    ),
};

const back = (name: string) => `Good news: ${oneLine(name)} is in stock again, and you asked us to tell you.`;
const first = "Nothing is set aside, so it goes to whoever orders first.";
const once =
  "This was the one email you asked for. To hear the next time it sells out, ask again on its page.";

/** What was waited for can be bought. */
export const stockAlert: Template<EmailOf<"stock_alert">> = {
  subject: ({ product }) => `${oneLine(product.name)} is back in stock`,
  html: (email, sender) => {
    const { name, image } = email.product;
    return (
      <Frame sender={sender} title={`${oneLine(name)} is back`} preview={back(name)}>
        <Text {...looks.text}>{back(name)}</Text>
        <Section style={{ padding: "8px 0 4px" }}>
          <ProductPicture sender={sender} image={image} alt={name} size={280} />
        </Section>
        <Text className="ink" style={{ ...looks.text.style, fontWeight: 600, margin: "8px 0 0" }}>
          {name}, {formatCents(email.priceCents)}
        </Text>
        <Text {...looks.text}>{first}</Text>
        <Action href={email.productUrl}>Shop now</Action>
        <Text {...looks.small}>{once}</Text>
        <Unsubscribe href={email.unsubscribeUrl} />
      </Frame>
    );
  },
  text: ({ product, priceCents, productUrl, unsubscribeUrl }, sender) =>
    paragraphs(
      sender,
      `${oneLine(product.name)} is back`,
      back(product.name),
      `${oneLine(product.name)}, ${formatCents(priceCents)}. ${first}`,
      `Shop now:\n${productUrl}`,
      once,
      unsubscribeLine(unsubscribeUrl),
    ),
};
