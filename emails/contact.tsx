import { formatDay } from "../domain/orders/order-text.ts";
import type { Sender } from "../domain/outbox/email.ts";
import { Link, Text } from "./layout/elements.ts";
import { Action, Frame, Quote } from "./layout/frame.tsx";
import { Lines } from "./layout/lines.tsx";
import { linesOf, oneLine } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf, Template, WordedTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

/** The automatic answer. It repeats nothing of what was typed: the form must not carry anybody's words to somebody else. */
export const contactReceipt: WordedTemplate<"contact_receipt"> = {
  facts: ({ reference }) => ({ reference }),
  subject: (_, said) => said.line("subject"),
  html: (_, said, sender) => (
    <Frame
      sender={sender}
      title={said.line("heading")}
      preview={previewOf(said.line("preheader"), said.words("opening"))}
    >
      <Words blocks={said.words("opening")} sender={sender} />
      <Words blocks={said.words("stranger")} sender={sender} look="small" />
    </Frame>
  ),
  text: (_, said, sender) =>
    paragraphs(
      sender,
      said.line("heading"),
      ...wordsText(said.words("opening"), sender),
      ...wordsText(said.words("stranger"), sender),
    ),
};

/** Mail programs would answer to an address that nobody reads. */
const answerNote = ({ replyTo, publicUrl }: Sender) =>
  replyTo === null ? `To answer, please write to us at ${publicUrl}/contact` : null;

/** The owner's answer. */
export const contactReply: WordedTemplate<"contact_reply"> = {
  facts: ({ reference, writtenAt }, { timeZone }) => ({
    reference,
    writtenOn: formatDay(writtenAt, timeZone),
  }),
  /** The subject of the automatic answer with "Re:" before it: mail programs show both as one conversation. */
  subject: (_, said) => said.line("subject"),
  html: (email, said, sender) => (
    <Frame sender={sender} title={said.line("heading")} preview={oneLine(email.text).slice(0, 120)}>
      {email.text.split(/(?:\r\n?|\n){2,}/).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
        <Text key={index} {...looks.text}>
          <Lines lines={linesOf(words)} />
        </Text>
      ))}
      {answerNote(sender) && <Text {...looks.small}>{answerNote(sender)}</Text>}
      <Text {...looks.small}>{said.line("quoteNote")}</Text>
      <Quote text={email.message} />
    </Frame>
  ),
  text: (email, said, sender) =>
    paragraphs(
      sender,
      linesOf(email.text).join("\n"),
      answerNote(sender),
      [said.line("quoteNote"), quoted(email.message)].join("\n"),
    ),
};

const suspicionNote = "This looks like it was sent by a robot, so its sender got no automatic answer.";
const replyNote = "Reply to this email to answer.";

/** A new message, to the owner. */
export const ownerContact: Template<EmailOf<"owner_contact">> = {
  subject: ({ isSuspicious, reference, about }) =>
    `${isSuspicious ? "Possibly automatic: " : ""}${about} (${reference})`,
  html: (email, sender) => (
    <Frame
      sender={sender}
      title={`Message ${email.reference}`}
      preview={oneLine(email.message).slice(0, 120)}
    >
      {email.isSuspicious && <Text {...looks.small}>{suspicionNote}</Text>}
      <Text {...looks.text}>
        {oneLine(email.name)},{" "}
        <Link href={`mailto:${email.email}`} {...looks.link}>
          {email.email}
        </Link>
        <br />
        {email.about}
      </Text>
      <Quote text={email.message} />
      <Text {...looks.text}>{replyNote}</Text>
      <Action href={email.adminUrl}>Open the admin</Action>
    </Frame>
  ),
  text: (email, sender) =>
    paragraphs(
      sender,
      `Message ${email.reference}`,
      email.isSuspicious ? suspicionNote : null,
      `${oneLine(email.name)}, ${email.email}\n${email.about}`,
      quoted(email.message),
      replyNote,
      `Open the admin:\n${email.adminUrl}`,
    ),
};

/** As mail programs quote. */
function quoted(message: string): string {
  return linesOf(message)
    .map((line) => `> ${line}`)
    .join("\n");
}
