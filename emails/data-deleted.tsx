import type { Email, Sender } from "../domain/outbox/email.ts";
import { erasureFacts } from "../domain/privacy/erasure-facts.ts";
import { Text } from "./layout/elements.ts";
import { Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import { looks } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "data_deleted" }>;

const rest = "Once that’s done, we delete the rest automatically and let you know.";
const stays = "What stays, and why:";
const last = "We don’t keep a copy of this email, either.";

const titleOf = ({ kept }: Props) => (kept.length > 0 ? "We are deleting your data" : "Your data is deleted");

const summaryOf = ({ kept }: Props) =>
  kept.length > 0
    ? "We’re deleting everything we no longer need. Some orders have to keep your contact details a little longer:"
    : "We’ve deleted what we stored about this email address up to when you asked.";

const keptLines = ({ kept }: Props) =>
  kept.map(({ number, because }) => `Order #${number}, because ${because}.`);

export function subject(email: Props, sender: Sender): string {
  return `${titleOf(email)} (${sender.brandName})`;
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={titleOf(email)} preview={summaryOf(email)}>
      <Text {...looks.text}>{summaryOf(email)}</Text>
      {email.kept.length > 0 && <List lines={keptLines(email)} />}
      {email.kept.length > 0 && <Text {...looks.text}>{rest}</Text>}
      <Text {...looks.text}>{stays}</Text>
      <List lines={erasureFacts.stays} />
      <Text {...looks.small}>{last}</Text>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    titleOf(email),
    summaryOf(email),
    email.kept.length > 0 ? listed(keptLines(email)) : null,
    email.kept.length > 0 ? rest : null,
    `${stays}\n${listed(erasureFacts.stays)}`,
    last,
  );
}

function List({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={looks.text.className} style={{ ...looks.text.style, paddingLeft: 20 }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
