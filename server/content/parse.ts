import type { BlockContent, DefinitionContent, Nodes, PhrasingContent, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { type Block, type Run, runsText } from "../../domain/content/blocks.ts";
import { type ConditionName, isCondition, isPart, type PartName } from "../../domain/content/placeholders.ts";
import { hasUserInfo } from "../../domain/shared/url-user-info.ts";

type TextStyle = Pick<Run, "href" | "isStrong" | "isEmphasis">;
/**
 * Elements that a text may contain. `faq`: each heading is a question; `email`: paragraphs and lists. `isFact`: whether a
 * name is a known fact. `isPublished`: the text may have been published under older rules: a link to a target that is no
 * longer allowed becomes plain text instead of a problem.
 */
export type Grammar = {
  kind: "page" | "policy" | "faq" | "email";
  isFact(name: string): boolean;
  isPublished?: boolean;
  /** The message for a picture inside a paragraph. */
  pictureProblem?: string;
};

type ListBlock = Extract<Block, { kind: "list" | "terms" }>;

/** `problems`: messages with their line, empty for a text that may be published. `names`: every placeholder in it. */
type Parsed = { blocks: Block[]; problems: string[]; names: Set<string> };

// These expressions are applied to any text, so none may backtrack over the same spaces repeatedly.
const placeholder = /\{\{\s*(?:([#/])\s*)?([A-Za-z]+)\s*\}\}/g;
const lineEnd = /(?<!\s)\s*\n\s*/g;
/**
 * Markdown that would block the parser, and with it the server, for minutes: deeply nested lists and quotes in one line, too
 * many bold markers or brackets in one paragraph, or too many lines. A horizontal rule is not a list.
 */
const blockingMarkdown =
  /^(?!(?:[ \t]*[-*_])+[ \t]*$)(?:(?:[ \t]{0,3}(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){3}|(?:[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]){2})/;
const maxMarkers = 600;
const maxLines = 1_000;

/** Number of the line that would block the parser, counted from 1; null if no line would. */
function findBlockingLine(markdown: string): number | null {
  let markers = 0;
  let lines = 0;
  for (const [index, line] of markdown.split("\n").entries()) {
    markers = line.trim() === "" ? 0 : markers + line.split(/[*_[]/).length - 1;
    if (line.trim() !== "") lines += 1;
    if (lines > maxLines || markers > maxMarkers || blockingMarkdown.test(line)) return index + 1;
  }
  return null;
}

const lonePlaceholder = /^\{\{\s*([A-Za-z]+)\s*\}\}$/;

/** Pages, https, mail and phone. A second slash would lead to another site. */
const allowedTarget = /^(\/(?![/\\])|https:\/\/|mailto:|tel:|#)/i;
/** One address only: parameters after it could add recipients, a subject and a text. */
const oneMailAddress = /^mailto:[^\s@?&%,;]+@[^\s@?&%,;]+$/i;

/** Why a link's target is not allowed; null if it is. */
function linkProblem(url: string): string | null {
  if (!allowedTarget.test(url) || /[\s\\{}]/.test(url)) {
    return `a link may lead to a page (/returns-policy), an https:// address, mailto: or tel:, not to “${url.slice(0, 60)}”.`;
  }
  if (/^mailto:/i.test(url) && !oneMailAddress.test(url)) {
    return `mailto: must be followed by one email address and nothing else, not “${url.slice(7, 67)}”.`;
  }
  if (!/^https:/i.test(url)) return null;
  return URL.canParse(url) && !hasUserInfo(url)
    ? null
    : `an address must not have a user name or password before the site’s name: “${url.slice(0, 60)}”.`;
}

/**
 * Reads the Markdown of a text into blocks. HTML, pictures, code and unknown placeholders are problems and never become
 * part of a block. The rest is plain text, which pages escape.
 */
export function parseContent(
  { kind, isFact, isPublished = false, pictureProblem = "pictures cannot be put into a text." }: Grammar,
  markdown: string,
): Parsed {
  const problems: string[] = [];
  const names = new Set<string>();
  const links: { id: string; node: Nodes }[] = [];
  const ids = new Set<string>();
  /** A condition spans several paragraphs until it is closed. */
  let condition: { name: ConditionName; node: Nodes } | null = null;

  const addProblem = (node: Nodes, sentence: string) =>
    void problems.push(`Line ${node.position?.start.line ?? 1}: ${sentence}`);

  function readText(node: Nodes, text: string, style: TextStyle): Run[] {
    const runs: Run[] = [];
    const addTextRun = (words: string) => {
      if (/\{\{|\}\}/.test(words)) addProblem(node, "a placeholder is not finished: it is written {{name}}.");
      if (words !== "") runs.push({ text: words, ...style, ...(condition && { onlyIf: condition.name }) });
    };
    const singleLine = text.replace(lineEnd, " ");
    let from = 0;
    for (const match of singleLine.matchAll(placeholder)) {
      addTextRun(singleLine.slice(from, match.index));
      from = match.index + match[0].length;
      readName(node, match[1] ?? "", match[2] ?? "", style, runs);
    }
    addTextRun(singleLine.slice(from));
    return runs;
  }

  function readName(node: Nodes, sign: string, name: string, style: TextStyle, runs: Run[]): void {
    if (sign === "") {
      names.add(name);
      if (isFact(name))
        runs.push({ text: "", fact: name, ...style, ...(condition && { onlyIf: condition.name }) });
      else if (isPart(name) && kind !== "email")
        addProblem(node, `{{${name}}} needs a paragraph of its own, with an empty line above and below.`);
      else addProblem(node, `there is no placeholder {{${name}}}. Choose one from the list.`);
    } else if (!isCondition(name) || kind === "email") {
      addProblem(node, `there is no condition {{${sign}${name}}}. Choose one from the list.`);
    } else if (sign === "/") {
      if (condition?.name !== name) addProblem(node, `{{/${name}}} closes nothing.`);
      condition = null;
    } else {
      if (condition !== null)
        addProblem(
          node,
          `{{#${condition.name}}} must be closed by {{/${condition.name}}} before the next one.`,
        );
      condition = { name, node };
    }
  }

  function readWords(nodes: readonly PhrasingContent[], style: TextStyle = {}): Run[] {
    return nodes.flatMap((node): Run[] => {
      switch (node.type) {
        case "text":
          return readText(node, node.value, style);
        case "break":
          // Only e-mails break lines, as in an address.
          return [{ text: kind === "email" ? "\n" : " ", ...style }];
        case "strong":
          return readWords(node.children, { ...style, isStrong: true });
        case "emphasis":
          return readWords(node.children, { ...style, isEmphasis: true });
        case "link": {
          const problem = linkProblem(node.url);
          if (problem !== null) {
            if (!isPublished) addProblem(node, problem);
            return readWords(node.children, style);
          }
          if (node.url.startsWith("#")) links.push({ id: node.url.slice(1), node });
          return readWords(node.children, { ...style, href: node.url });
        }
        case "html":
          addProblem(
            node,
            "HTML is not allowed. Write ** around bold words, and [words](address) for a link.",
          );
          return [];
        case "image":
        case "imageReference":
          addProblem(node, pictureProblem);
          return [];
        default:
          addProblem(node, "code, footnotes and references are not allowed.");
          return [];
      }
    });
  }

  /** Returns the item's only paragraph; anything else in it is a problem. */
  function readItem(
    node: Nodes & { children: readonly (BlockContent | DefinitionContent)[] },
  ): readonly PhrasingContent[] {
    const [first, ...further] = node.children;
    if (first === undefined) return [];
    if (first.type === "paragraph" && further.length === 0) return first.children;
    addProblem(node, "an item of a list is one paragraph, without lists or headings of its own.");
    return [];
  }

  function readList(node: Extract<RootContent, { type: "list" }>): ListBlock {
    const items = node.children.map(readItem);
    const isTerms = kind !== "email" && !node.ordered && items.length > 0 && items.every(isTerm);
    if (!isTerms)
      return { kind: "list", isNumbered: node.ordered ?? false, items: items.map((item) => readWords(item)) };
    return { kind: "terms", terms: items.map(readTerm) };
  }

  function readTerm([first, ...rest]: readonly PhrasingContent[]): { name: Run[]; words: Run[] } {
    const name = first?.type === "strong" ? readWords(first.children) : [];
    const words = readWords(rest);
    const trim = (runs: Run[], at: number, sign: RegExp) => {
      const run = runs.at(at);
      if (run && run.fact === undefined) run.text = run.text.replace(sign, "");
    };
    trim(name, -1, /(?<!\s)\s*:\s*$/);
    trim(words, 0, /^\s*:\s*/);
    return { name, words };
  }

  function readBlock(node: RootContent): Block[] {
    if (kind === "email" && isForbiddenInEmail(node)) {
      addProblem(node, "an email has paragraphs and lists, without headings, quotes or horizontal lines.");
      return [];
    }
    switch (node.type) {
      case "thematicBreak":
        return [{ kind: "break" }];
      case "heading": {
        const level = node.depth;
        const words = readWords(node.children);
        if (level > 3 || (level === 1 && kind !== "page")) {
          addProblem(
            node,
            kind === "page" ? "headings begin with #, ## or ###." : "headings begin with ## or ###.",
          );
          return [];
        }
        const id = slug(runsText(words));
        ids.add(id);
        return [{ kind: "heading", level: level as 1 | 2 | 3, id, words }];
      }
      case "paragraph": {
        const [only] = node.children;
        const part =
          node.children.length === 1 && only?.type === "text"
            ? lonePlaceholder.exec(only.value)?.[1]
            : undefined;
        if (part !== undefined && isPart(part) && kind !== "email") return readPart(node, part);
        const isSmall = node.children.length === 1 && only?.type === "emphasis";
        const words = isSmall ? readWords(only.children) : readWords(node.children);
        return words.length === 0 ? [] : [{ kind: "paragraph", isSmall, words }];
      }
      case "blockquote": {
        const words = readWords(readItem(node));
        return [{ kind: "quote", words }];
      }
      case "list":
        return [readList(node)];
      case "html":
        addProblem(node, "HTML is not allowed. Write ** around bold words, and [words](address) for a link.");
        return [];
      case "code":
        addProblem(node, "lines that begin with four spaces or ``` are code, which is not allowed.");
        return [];
      default:
        addProblem(node, "references and footnotes are not allowed. Write [words](address) for a link.");
        return [];
    }
  }

  function readPart(node: Nodes, name: PartName): Block[] {
    names.add(name);
    if (kind !== "faq") return [{ kind: "part", name }];
    addProblem(node, `{{${name}}} cannot be used in the FAQ.`);
    return [];
  }

  const blockingLine = findBlockingLine(markdown);
  if (blockingLine !== null) {
    problems.push(
      `Line ${blockingLine}: too many nested lists or quotes, too many *, _ and [, or too many lines.`,
    );
    return { blocks: [], problems, names };
  }
  const root = fromMarkdown(markdown);
  const blocks = root.children.flatMap(readBlock);
  const unclosed = condition as { name: ConditionName; node: Nodes } | null;
  if (unclosed)
    addProblem(
      unclosed.node,
      `{{#${unclosed.name}}} is never closed: write {{/${unclosed.name}}} where it ends.`,
    );
  for (const { id, node } of links) {
    if (!ids.has(id)) addProblem(node, `no heading here has the address #${id}.`);
  }
  if (kind === "faq" && blocks[0]?.kind !== "heading")
    problems.push("Line 1: the text begins with a question: a line with ## before it.");
  return { blocks, problems, names };
}

function isForbiddenInEmail({ type }: RootContent): boolean {
  return type === "heading" || type === "blockquote" || type === "thematicBreak";
}

/** **Name:** words, or **Name**: words */
function isTerm([first, second]: readonly PhrasingContent[]): boolean {
  if (first?.type !== "strong") return false;
  const last = first.children.at(-1);
  return (
    (last?.type === "text" && /:\s*$/.test(last.value)) ||
    (second?.type === "text" && /^\s*:/.test(second.value))
  );
}

/** "Where this comes from" -> "where-this-comes-from" */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
