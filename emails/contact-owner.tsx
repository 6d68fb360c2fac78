import type { Email, Sender } from "../domain/outbox/email.ts";
import { Link, Text } from "./layout/elements.ts";
import { Action, Frame, Quote } from "./layout/frame.tsx";
import { linesOf, oneLine, paragraphs } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "owner_contact" }>;

const suspicionNote = "This looks like it was sent by a robot, so its sender got no automatic answer.";

export function subject({ isSuspicious, reference, about }: Props): string {
  return `${isSuspicious ? "Possibly automatic: " : ""}${about} (${reference})`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return (
    <Frame
      sender={sender}
      title={`Message ${email.reference}`}
      preview={oneLine(email.message).slice(0, 120)}
    >
      {email.isSuspicious && <Text style={styles.small}>{suspicionNote}</Text>}
      <Text style={styles.text}>
        {oneLine(email.name)},{" "}
        <Link href={`mailto:${email.email}`} style={styles.link}>
          {email.email}
        </Link>
        <br />
        {email.about}
      </Text>
      <Quote text={email.message} />
      <Text style={styles.text}>{answerNote}</Text>
      <Action href={email.adminUrl}>Open the admin</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    `Message ${email.reference}`,
    email.isSuspicious ? suspicionNote : null,
    `${oneLine(email.name)}, ${email.email}\n${email.about}`,
    linesOf(email.message)
      .map((line) => `> ${line}`)
      .join("\n"),
    answerNote,
    `Open the admin:\n${email.adminUrl}`,
  );
}

const answerNote = "Reply to this email to answer.";
