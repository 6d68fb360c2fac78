import { formatCents } from "../domain/shared/money.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine, paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import type { EmailOf, Template } from "./layout/template.ts";
import { styles } from "./layout/theme.ts";

const confirmLabel = "Yes, email me";
const stranger =
  "If you did not ask for this, somebody entered your address by mistake. You need do nothing: without that press you hear no more of it.";
const confirmRules = "The link works for a week.";

const confirmQuestion = (name: string) =>
  `Shall we email you once when ${oneLine(name)} is back in stock? Please confirm that this address is yours.`;

/** Was it really the address's owner who asked? */
export const stockAlertConfirm: Template<EmailOf<"stock_alert_confirm">> = {
  subject: ({ product }) => `Shall we tell you when ${oneLine(product.name)} is back?`,
  html: (email, sender) => (
    <Frame
      sender={sender}
      title="One press, and you are on the list"
      preview={confirmQuestion(email.product.name)}
    >
      <Text style={styles.text}>{confirmQuestion(email.product.name)}</Text>
      <Action href={email.confirmUrl}>{confirmLabel}</Action>
      <Text style={styles.small}>{`${confirmRules} ${stranger}`}</Text>
    </Frame>
  ),
  text: ({ product, confirmUrl }, sender) =>
    paragraphs(
      sender,
      "One press, and you are on the list",
      confirmQuestion(product.name),
      `${confirmLabel}:\n${confirmUrl}`,
      confirmRules,
      stranger,
    ),
};

const back = (name: string) => `You asked us to tell you: ${oneLine(name)} is in stock again.`;
const first = "Nothing is set aside, so the first to order have it.";
const once = "We send this once. To hear of it another time, ask again on the product’s page.";

/** What was waited for can be bought. */
export const stockAlert: Template<EmailOf<"stock_alert">> = {
  subject: ({ product }) => `${oneLine(product.name)} is back in stock`,
  html: (email, sender) => (
    <Frame
      sender={sender}
      title={`${oneLine(email.product.name)} is back`}
      preview={back(email.product.name)}
    >
      <Text style={styles.text}>{back(email.product.name)}</Text>
      <Text style={styles.text}>{`${formatCents(email.priceCents)}. ${first}`}</Text>
      <Action href={email.productUrl}>Shop now</Action>
      <Text style={styles.small}>{once}</Text>
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  ),
  text: ({ product, priceCents, productUrl, unsubscribeUrl }, sender) =>
    paragraphs(
      sender,
      `${oneLine(product.name)} is back`,
      back(product.name),
      `${formatCents(priceCents)}. ${first}`,
      `Shop now:\n${productUrl}`,
      once,
      unsubscribeLine(unsubscribeUrl),
    ),
};
