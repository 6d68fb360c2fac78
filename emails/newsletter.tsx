import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import type { EditableTemplate } from "./layout/template.ts";
import { colors, looks, serif } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

/** Asks the address's owner to confirm the subscription. */
export const newsletterConfirm: EditableTemplate<"newsletter_confirm"> = {
  facts: ({ offer }) => ({ offer }),
  subject: (_, texts) => texts.line("subject"),
  html: ({ confirmUrl }, texts, sender) => (
    <Frame
      sender={sender}
      title={texts.line("heading")}
      preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
    >
      <Words blocks={texts.blocks("opening")} sender={sender} />
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

/** The first e-mail to a subscriber, with a discount code if the owner offers one. */
export const newsletterWelcome: EditableTemplate<"newsletter_welcome"> = {
  facts: ({ offer }) => ({ offer: offer?.sentence ?? null }),
  subject: ({ offer }, texts) => texts.line(offer === null ? "subject" : "subjectCode"),
  html: ({ offer, shopUrl, unsubscribeUrl }, texts, sender) => (
    <Frame
      sender={sender}
      title={texts.line("heading")}
      preview={previewOf(texts.line("preheader") || (offer?.sentence ?? ""), texts.blocks("opening"))}
    >
      <Words blocks={texts.blocks("opening")} sender={sender} />
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
            {texts.line("howToUse")}
          </Text>
        </Section>
      )}
      <Action href={shopUrl}>{texts.line("button")}</Action>
      <Unsubscribe href={unsubscribeUrl} />
    </Frame>
  ),
  text: ({ offer, shopUrl, unsubscribeUrl }, texts, sender) =>
    paragraphs(
      sender,
      texts.line("heading"),
      ...wordsText(texts.blocks("opening"), sender),
      offer === null ? null : `Your code: ${offer.code}\n${offer.sentence} ${texts.line("howToUse")}`,
      `${texts.line("button")}:\n${shopUrl}`,
      unsubscribeLine(unsubscribeUrl),
    ),
};
