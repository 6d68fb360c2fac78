import { Fragment } from "react";
import type { Block, Run } from "../../domain/content/blocks.ts";
import type { Sender } from "../../domain/outbox/email.ts";
import { Link, Text } from "./elements.tsx";
import { plainRuns } from "./email-texts.ts";
import { unbroken } from "./frame.tsx";
import { splitLines } from "./one-line.ts";
import { elementProps } from "./theme.ts";

/** Paragraphs and lists of an editable text. */
export function TextBlocks({
  blocks,
  sender,
  variant = "text",
}: {
  blocks: readonly Block[];
  sender: Sender;
  variant?: "text" | "small";
}) {
  return blocks.map((block, index) => {
    const key = String(index);
    if (block.kind === "list") {
      const List = block.isNumbered ? "ol" : "ul";
      return (
        <List
          key={key}
          className={elementProps[variant].className}
          style={{ ...elementProps[variant].style, paddingLeft: 20 }}
        >
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text that never changes
            <li key={index}>
              <Runs runs={item} sender={sender} />
            </li>
          ))}
        </List>
      );
    }
    if (block.kind !== "paragraph") return null;
    return (
      <Text key={key} {...elementProps[block.isSmall ? "small" : variant]}>
        <Runs runs={block.words} sender={sender} />
      </Text>
    );
  });
}

function Runs({ runs, sender }: { runs: readonly Run[]; sender: Sender }) {
  return runs.map(({ text, href, isStrong, isEmphasis }, index) => {
    const key = String(index);
    const lines = text.split("\n").map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text that never changes
      <Fragment key={at}>
        {at > 0 && <br />}
        {unbroken(line)}
      </Fragment>
    ));
    let styled = isStrong ? <strong key={key}>{lines}</strong> : lines;
    if (isEmphasis) styled = <em key={key}>{styled}</em>;
    if (href === undefined) return styled;
    return (
      <Link key={key} href={absoluteUrl(href, sender)} {...elementProps.link}>
        {styled}
      </Link>
    );
  });
}

const absoluteUrl = (href: string, { publicUrl }: Sender) => (href.startsWith("/") ? publicUrl + href : href);

/** The plain-text version of `TextBlocks`, one string per paragraph or list. */
export function plainTextBlocks(blocks: readonly Block[], sender: Sender): string[] {
  const formatRuns = (runs: readonly Run[]) =>
    splitLines(
      runs
        .map(({ text, href }) =>
          href === undefined || href.endsWith(text) ? text : `${text} (${absoluteUrl(href, sender)})`,
        )
        .join(""),
    ).join("\n");
  return blocks.flatMap((block) => {
    if (block.kind === "paragraph") return [formatRuns(block.words)];
    if (block.kind !== "list") return [];
    return [
      block.items
        .map((item, index) => `${block.isNumbered ? `${index + 1}.` : "-"} ${formatRuns(item)}`)
        .join("\n"),
    ];
  });
}

export function firstParagraph([first]: readonly Block[]): string {
  return first?.kind === "paragraph" ? plainRuns(first.words) : "";
}
