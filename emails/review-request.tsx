import type { Email, Sender } from "../domain/outbox/email.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine, paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "review_request" }>;

const question =
  "You have had some time with your order now. Would you tell others what you think of it, good or bad?";
const badge =
  "Reviews written through this email are marked “Verified Buyer”. You can sign with any name, or with none.";
const once = "We ask once for each order.";

export function subject({ items }: Props): string {
  const [first, ...others] = items;
  return first && others.length === 0
    ? `How do you like ${oneLine(first.name)}?`
    : "How do you like your order?";
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={subject(email)} preview={question}>
      <Text style={styles.text}>{question}</Text>
      {email.items.map(({ name, reviewUrl }) => (
        <Section key={reviewUrl}>
          <Action href={reviewUrl}>{`Review ${oneLine(name)}`}</Action>
        </Section>
      ))}
      <Text style={styles.text}>{badge}</Text>
      <Text style={styles.small}>{`${once} ${about(email)}`}</Text>
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    subject(email),
    question,
    ...email.items.map(({ name, reviewUrl }) => `Review ${oneLine(name)}:\n${reviewUrl}`),
    badge,
    `${once} ${about(email)}`,
    unsubscribeLine(email.unsubscribeUrl),
  );
}

function about({ orderNumber }: Props): string {
  return `This one is about order #${orderNumber}.`;
}
