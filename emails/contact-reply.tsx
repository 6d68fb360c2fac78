import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Frame, Quote } from "./layout/frame.tsx";
import { linesOf, oneLine, paragraphs } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "contact_reply" }>;

const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

const quoteNote = ({ writtenAt }: Props) => `On ${date.format(new Date(writtenAt))} you wrote:`;

/** Mail programs would answer to an address that nobody reads. */
const answerNote = ({ replyTo, publicUrl }: Sender) =>
  replyTo === null ? `To answer, please write to us at ${publicUrl}/contact` : null;

/** The subject of the automatic answer with "Re:" before it, so that mail programs show both as one conversation. */
export function subject({ reference }: Props, sender: Sender): string {
  return `Re: Your message to ${sender.brandName} (${reference})`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return (
    <Frame
      sender={sender}
      title={`About your message ${email.reference}`}
      preview={oneLine(email.text).slice(0, 120)}
    >
      {email.text.split(/(?:\r\n?|\n){2,}/).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
        <Text key={index} style={{ ...styles.text, whiteSpace: "pre-line" }}>
          {linesOf(words).join("\n")}
        </Text>
      ))}
      {answerNote(sender) && <Text style={styles.small}>{answerNote(sender)}</Text>}
      <Text style={styles.small}>{quoteNote(email)}</Text>
      <Quote text={email.message} />
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    linesOf(email.text).join("\n"),
    answerNote(sender),
    [quoteNote(email), ...linesOf(email.message).map((line) => `> ${line}`)].join("\n"),
  );
}
