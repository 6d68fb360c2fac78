import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "data_deletion" }>;

const title = "Delete your data";
const request = "You asked us to delete what we store about this email address.";
const nothingYet =
  "Nothing has been deleted yet. The link opens a page that says what goes and what stays, and asks you to confirm.";
const rules = "The link works once, within an hour of asking for it.";
const stranger =
  "If it was not you who asked, you need do nothing: without this email nothing can be deleted.";

export function subject(_: Props, sender: Sender): string {
  return `Delete your data at ${sender.brandName}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return (
    <Frame sender={sender} title={title} preview={request}>
      <Text style={styles.text}>{request}</Text>
      <Text style={styles.text}>{nothingYet}</Text>
      <Action href={email.dataUrl}>See what is deleted</Action>
      <Text style={styles.text}>{rules}</Text>
      <Text style={styles.small}>{stranger}</Text>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  const link = `See what is deleted:\n${email.dataUrl}`;
  return paragraphs(sender, title, request, nothingYet, link, rules, stranger);
}
