import type { Email, Sender } from "../domain/outbox/email.ts";
import { erasureFacts } from "../domain/privacy/erasure-facts.ts";
import { Text } from "./layout/elements.ts";
import { Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import { looks } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "data_deleted" }>;

const rest = "As soon as that is over, the rest is deleted by itself, and we tell you so.";
const stays = "What stays, and why:";
const last = "This email is not stored by the shop either.";

const titleOf = ({ kept }: Props) => (kept.length > 0 ? "We are deleting your data" : "Your data is deleted");

const summaryOf = ({ kept }: Props) =>
  kept.length > 0
    ? "What nothing needs any more is being deleted now. Some orders have to keep your contact details a little longer:"
    : "What we stored about this email address until you asked is deleted.";

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
