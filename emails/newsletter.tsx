import type { Sender } from "../domain/outbox/email.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import type { EmailOf, Template } from "./layout/template.ts";
import { colors, looks, serif } from "./layout/theme.ts";

const confirmTitle = "One tap and you’re in";
const confirmLabel = "Yes, sign me up";
const asked = ({ brandName }: Sender) =>
  `You’d like news and offers from ${brandName}. Please confirm that this is your address.`;
const gift = (sentence: string) => `Your welcome: ${sentence} The code comes with the next email.`;
const rules = "The link works for a week.";
const stranger =
  "Didn’t sign up? Then somebody typed your address by mistake. Ignore this email and you won’t be on the list.";

/** Was it really the address's owner who signed up? */
export const newsletterConfirm: Template<EmailOf<"newsletter_confirm">> = {
  subject: (_, { brandName }) => `Confirm: news from ${brandName}`,
  html: ({ confirmUrl, offer }, sender) => (
    <Frame sender={sender} title={confirmTitle} preview={asked(sender)}>
      <Text {...looks.text}>{asked(sender)}</Text>
      {offer !== null && <Text {...looks.text}>{gift(offer)}</Text>}
      <Action href={confirmUrl}>{confirmLabel}</Action>
      <Text {...looks.small}>{rules}</Text>
      <Text {...looks.small}>{stranger}</Text>
    </Frame>
  ),
  text: ({ confirmUrl, offer }, sender) =>
    paragraphs(
      sender,
      confirmTitle,
      asked(sender),
      offer === null ? null : gift(offer),
      `${confirmLabel}:\n${confirmUrl}`,
      rules,
      stranger,
    ),
};

const welcomeTitle = "You’re on the list";
const welcome =
  "Thank you for signing up. We’ll write when there’s something worth telling: a new batch, a tip, an offer.";
const howToUse = "Enter it at checkout, under “Discount code”.";

/** The first of the newsletter: with the code, where the owner gives one. */
export const newsletterWelcome: Template<EmailOf<"newsletter_welcome">> = {
  subject: ({ offer }, { brandName }) =>
    offer === null ? `Welcome to ${brandName}` : `Welcome to ${brandName}: your code is inside`,
  html: ({ offer, shopUrl, unsubscribeUrl }, sender) => (
    <Frame sender={sender} title={welcomeTitle} preview={offer?.sentence ?? welcome}>
      <Text {...looks.text}>{welcome}</Text>
      {offer !== null && (
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
            {offer.code}
          </Text>
          <Text className="ink" style={{ ...looks.text.style, margin: "0 0 4px" }}>
            {offer.sentence}
          </Text>
          <Text className="muted" style={{ ...looks.small.style, margin: 0 }}>
            {howToUse}
          </Text>
        </Section>
      )}
      <Action href={shopUrl}>Visit the shop</Action>
      <Unsubscribe href={unsubscribeUrl} />
    </Frame>
  ),
  text: ({ offer, shopUrl, unsubscribeUrl }, sender) =>
    paragraphs(
      sender,
      welcomeTitle,
      welcome,
      offer === null ? null : `Your code: ${offer.code}\n${offer.sentence} ${howToUse}`,
      `Visit the shop:\n${shopUrl}`,
      unsubscribeLine(unsubscribeUrl),
    ),
};
