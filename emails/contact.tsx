import { formatDay } from "../domain/orders/order-text.ts";
import type { Sender } from "../domain/outbox/email.ts";
import { Link, Text } from "./layout/elements.ts";
import { Action, Frame, Quote } from "./layout/frame.tsx";
import { Lines } from "./layout/lines.tsx";
import { linesOf, oneLine } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

/** The automatic answer. It never quotes the message: otherwise the form could send text to third parties. */
export const contactReceipt: EditableTemplate<"contact_receipt"> = {
  facts: ({ reference }) => ({ reference }),
  subject: (_, texts) => texts.line("subject"),
  html: (_, texts, sender) => (
    <Frame
      sender={sender}
      title={texts.line("heading")}
      preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
    >
      <Words blocks={texts.blocks("opening")} sender={sender} />
      <Words blocks={texts.blocks("stranger")} sender={sender} look="small" />
    </Frame>
  ),
  text: (_, texts, sender) =>
    paragraphs(
      sender,
      texts.line("heading"),
      ...wordsText(texts.blocks("opening"), sender),
      ...wordsText(texts.blocks("stranger"), sender),
    ),
};

/** Without a reply address, replies would go to a mailbox that is not read. */
const answerNote = ({ replyTo, publicUrl }: Sender) =>
  replyTo === null ? `To answer, please write to us at ${publicUrl}/contact` : null;

export const contactReply: EditableTemplate<"contact_reply"> = {
  facts: ({ reference, writtenAt }, { timeZone }) => ({
    reference,
    writtenOn: formatDay(writtenAt, timeZone),
  }),
  /** The automatic answer's subject after "Re:", so that mail programs show both as one conversation. */
  subject: (_, texts) => texts.line("subject"),
  html: (email, texts, sender) => (
    <Frame sender={sender} title={texts.line("heading")} preview={oneLine(email.text).slice(0, 120)}>
      {email.text.split(/(?:\r\n?|\n){2,}/).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
        <Text key={index} {...looks.text}>
          <Lines lines={linesOf(words)} />
        </Text>
      ))}
      {answerNote(sender) && <Text {...looks.small}>{answerNote(sender)}</Text>}
      <Text {...looks.small}>{texts.line("quoteNote")}</Text>
      <Quote text={email.message} />
    </Frame>
  ),
  text: (email, texts, sender) =>
    paragraphs(
      sender,
      linesOf(email.text).join("\n"),
      answerNote(sender),
      [texts.line("quoteNote"), quoted(email.message)].join("\n"),
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

function quoted(message: string): string {
  return linesOf(message)
    .map((line) => `> ${line}`)
    .join("\n");
}
