import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import type { WordedTemplate } from "./layout/template.ts";
import { colors, looks, serif } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

/** Was it really the address's owner who signed up? */
export const newsletterConfirm: WordedTemplate<"newsletter_confirm"> = {
  facts: ({ offer }) => ({ offer }),
  subject: (_, said) => said.line("subject"),
  html: ({ confirmUrl }, said, sender) => (
    <Frame
      sender={sender}
      title={said.line("heading")}
      preview={previewOf(said.line("preheader"), said.words("opening"))}
    >
      <Words blocks={said.words("opening")} sender={sender} />
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

/** The first of the newsletter: with the code, where the owner gives one. */
export const newsletterWelcome: WordedTemplate<"newsletter_welcome"> = {
  facts: ({ offer }) => ({ offer: offer?.sentence ?? null }),
  subject: ({ offer }, said) => said.line(offer === null ? "subject" : "subjectCode"),
  html: ({ offer, shopUrl, unsubscribeUrl }, said, sender) => (
    <Frame
      sender={sender}
      title={said.line("heading")}
      preview={previewOf(said.line("preheader") || (offer?.sentence ?? ""), said.words("opening"))}
    >
      <Words blocks={said.words("opening")} sender={sender} />
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
            {said.line("howToUse")}
          </Text>
        </Section>
      )}
      <Action href={shopUrl}>{said.line("button")}</Action>
      <Unsubscribe href={unsubscribeUrl} />
    </Frame>
  ),
  text: ({ offer, shopUrl, unsubscribeUrl }, said, sender) =>
    paragraphs(
      sender,
      said.line("heading"),
      ...wordsText(said.words("opening"), sender),
      offer === null ? null : `Your code: ${offer.code}\n${offer.sentence} ${said.line("howToUse")}`,
      `${said.line("button")}:\n${shopUrl}`,
      unsubscribeLine(unsubscribeUrl),
    ),
};
