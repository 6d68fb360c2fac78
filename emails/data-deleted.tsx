import { erasureFacts } from "../domain/privacy/erasure-facts.ts";
import { Text } from "./layout/elements.ts";
import { Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf, WordedTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

type Props = EmailOf<"data_deleted">;

const keptLines = ({ kept }: Props) =>
  kept.map(({ number, because }) => `Order #${number}, because ${because}.`);

const isKeeping = ({ kept }: Props) => kept.length > 0;
const headingOf = (email: Props) => (isKeeping(email) ? "headingKept" : "heading");
const openingOf = (email: Props) => (isKeeping(email) ? "openingKept" : "opening");

export const dataDeleted: WordedTemplate<"data_deleted"> = {
  facts: () => ({}),
  subject: (email, said) => said.line(isKeeping(email) ? "subjectKept" : "subject"),
  html(email, said, sender) {
    const opening = said.words(openingOf(email));
    return (
      <Frame
        sender={sender}
        title={said.line(headingOf(email))}
        preview={previewOf(said.line("preheader"), opening)}
      >
        <Words blocks={opening} sender={sender} />
        {isKeeping(email) && <List lines={keptLines(email)} />}
        {isKeeping(email) && <Words blocks={said.words("rest")} sender={sender} />}
        <Text {...looks.text}>{said.line("stays")}</Text>
        <List lines={erasureFacts.stays} />
        <Words blocks={said.words("last")} sender={sender} look="small" />
      </Frame>
    );
  },
  text: (email, said, sender) =>
    paragraphs(
      sender,
      said.line(headingOf(email)),
      ...wordsText(said.words(openingOf(email)), sender),
      isKeeping(email) ? listed(keptLines(email)) : null,
      ...(isKeeping(email) ? wordsText(said.words("rest"), sender) : []),
      `${said.line("stays")}\n${listed(erasureFacts.stays)}`,
      ...wordsText(said.words("last"), sender),
    ),
};

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
