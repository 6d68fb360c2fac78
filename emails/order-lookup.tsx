import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "order_lookup" }>;

const request = "You asked to see the orders placed with this email address.";
const rules = "The link works once, within an hour of asking for it, in the browser that opens it.";
const stranger = "If it was not you who asked, you need do nothing: without this email nobody sees anything.";

export function subject(_: Props, sender: Sender): string {
  return `Find your ${sender.brandName} orders`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return (
    <Frame sender={sender} title="Find your orders" preview={request}>
      <Text style={styles.text}>{request}</Text>
      <Action href={email.lookupUrl}>Show my orders</Action>
      <Text style={styles.text}>{rules}</Text>
      <Text style={styles.small}>{stranger}</Text>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    "Find your orders",
    request,
    `Show my orders:\n${email.lookupUrl}`,
    rules,
    stranger,
  );
}
