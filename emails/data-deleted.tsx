import { erasureFacts } from "../domain/privacy/erasure-facts.ts";
import { Text } from "./layout/elements.ts";
import { Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import type { EditableTemplate, EmailOf } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

type Props = EmailOf<"data_deleted">;

const keptLines = ({ kept }: Props) =>
  kept.map(({ number, because }) => `Order #${number}, because ${because}.`);

const isKeeping = ({ kept }: Props) => kept.length > 0;
const headingOf = (email: Props) => (isKeeping(email) ? "headingKept" : "heading");
const openingOf = (email: Props) => (isKeeping(email) ? "openingKept" : "opening");

export const dataDeleted: EditableTemplate<"data_deleted"> = {
  facts: () => ({}),
  subject: (email, texts) => texts.line(isKeeping(email) ? "subjectKept" : "subject"),
  html(email, texts, sender) {
    const opening = texts.blocks(openingOf(email));
    return (
      <Frame
        sender={sender}
        title={texts.line(headingOf(email))}
        preview={previewOf(texts.line("preheader"), opening)}
      >
        <Words blocks={opening} sender={sender} />
        {isKeeping(email) && <List lines={keptLines(email)} />}
        {isKeeping(email) && <Words blocks={texts.blocks("rest")} sender={sender} />}
        <Text {...looks.text}>{texts.line("stays")}</Text>
        <List lines={erasureFacts.stays} />
        <Words blocks={texts.blocks("last")} sender={sender} look="small" />
      </Frame>
    );
  },
  text: (email, texts, sender) =>
    paragraphs(
      sender,
      texts.line(headingOf(email)),
      ...wordsText(texts.blocks(openingOf(email)), sender),
      isKeeping(email) ? plainList(keptLines(email)) : null,
      ...(isKeeping(email) ? wordsText(texts.blocks("rest"), sender) : []),
      `${texts.line("stays")}\n${plainList(erasureFacts.stays)}`,
      ...wordsText(texts.blocks("last"), sender),
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

function plainList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
