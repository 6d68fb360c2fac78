import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "data_export" }>;

const title = "Your data";
const request = "You asked for a copy of what we store about this email address.";
const rules =
  "The link works once, within an hour of asking for it. It opens a page with a button to download.";
const stranger =
  "If it was not you who asked, you need do nothing: without this email nobody gets your data.";

export function subject(_: Props, sender: Sender): string {
  return `Your data at ${sender.brandName}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return (
    <Frame sender={sender} title={title} preview={request}>
      <Text style={styles.text}>{request}</Text>
      <Action href={email.dataUrl}>Get my data</Action>
      <Text style={styles.text}>{rules}</Text>
      <Text style={styles.small}>{stranger}</Text>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(sender, title, request, `Get my data:\n${email.dataUrl}`, rules, stranger);
}
