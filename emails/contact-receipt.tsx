import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "contact_receipt" }>;

// Nothing that was typed is repeated: the form must not carry anybody's words to somebody else's inbox.
const received = "Your message has arrived. A person reads it and answers by email.";
const stranger = "If you did not write to us, somebody entered your address by mistake: you need do nothing.";

const referenceNote = ({ reference }: Props) =>
  `Your reference is ${reference}. Please mention it if you write to us about this again.`;

export function subject({ reference }: Props, sender: Sender): string {
  return `Your message to ${sender.brandName} (${reference})`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return (
    <Frame sender={sender} title="Thank you for writing" preview={received}>
      <Text style={styles.text}>{received}</Text>
      <Text style={styles.text}>{referenceNote(email)}</Text>
      <Text style={styles.small}>{stranger}</Text>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(sender, "Thank you for writing", received, referenceNote(email), stranger);
}
