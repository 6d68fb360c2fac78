import { formatDay } from "../domain/orders/order-text.ts";
import type { Sender } from "../domain/outbox/email.ts";
import { Link, Text } from "./layout/elements.ts";
import { Action, Frame, Quote } from "./layout/frame.tsx";
import { Lines } from "./layout/lines.tsx";
import { linesOf, oneLine } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf, Template } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";

// Nothing that was typed is repeated: the form must not carry anybody's words to somebody else's inbox.
const received = "Your message has arrived. A person will read it and answer by email.";
const stranger =
  "If you didn’t write to us, somebody entered your address by mistake. You can ignore this email.";

const referenceNote = (reference: string) =>
  `Your reference is ${reference}. Please mention it if you write to us about this again.`;

/** The automatic answer. */
export const contactReceipt: Template<EmailOf<"contact_receipt">> = {
  subject: ({ reference }, sender) => `Your message to ${sender.brandName} (${reference})`,
  html: (email, sender) => (
    <Frame sender={sender} title="Thank you for writing" preview={received}>
      <Text {...looks.text}>{received}</Text>
      <Text {...looks.text}>{referenceNote(email.reference)}</Text>
      <Text {...looks.small}>{stranger}</Text>
    </Frame>
  ),
  text: ({ reference }, sender) =>
    paragraphs(sender, "Thank you for writing", received, referenceNote(reference), stranger),
};

const quoteNote = (writtenAt: string, { timeZone }: Sender) =>
  `On ${formatDay(writtenAt, timeZone)} you wrote:`;

/** Mail programs would answer to an address that nobody reads. */
const answerNote = ({ replyTo, publicUrl }: Sender) =>
  replyTo === null ? `To answer, please write to us at ${publicUrl}/contact` : null;

/** The owner's answer. */
export const contactReply: Template<EmailOf<"contact_reply">> = {
  /** The subject of the automatic answer with "Re:" before it, so that mail programs show both as one conversation. */
  subject: ({ reference }, sender) => `Re: Your message to ${sender.brandName} (${reference})`,
  html: (email, sender) => (
    <Frame
      sender={sender}
      title={`About your message ${email.reference}`}
      preview={oneLine(email.text).slice(0, 120)}
    >
      {email.text.split(/(?:\r\n?|\n){2,}/).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
        <Text key={index} {...looks.text}>
          <Lines lines={linesOf(words)} />
        </Text>
      ))}
      {answerNote(sender) && <Text {...looks.small}>{answerNote(sender)}</Text>}
      <Text {...looks.small}>{quoteNote(email.writtenAt, sender)}</Text>
      <Quote text={email.message} />
    </Frame>
  ),
  text: (email, sender) =>
    paragraphs(
      sender,
      linesOf(email.text).join("\n"),
      answerNote(sender),
      [quoteNote(email.writtenAt, sender), quoted(email.message)].join("\n"),
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
