import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Block, Run } from "../../../domain/content/blocks.ts";
import { type PartName, wideParts } from "../../../domain/content/placeholders.ts";

/** Components for the part placeholders in a text; a part without a component is omitted. */
export type Parts = Partial<Record<PartName, ReactNode>>;

const proseClass =
  "text-[1.0625rem] leading-[1.7] [&>*+*]:mt-[1.1em] [&>h2]:mt-[1.8em] [&>h2+*]:mt-[.7em] [&>h2:first-child]:mt-0 [&>h2]:text-h3 [&>h3]:mt-[1.4em] [&>h3]:font-sans [&>h3]:text-base [&>h3]:font-semibold [&>*+dl]:mt-10 [&_ol]:list-decimal [&_ul]:list-disc [&_ol]:pl-5 [&_ul]:pl-5 [&_li+li]:mt-2";

/** For notes, such as a list of sources, in small type. */
const notesClass = "text-small [&_li+li]:mt-1.5 [&>*+*]:mt-3 [&_ol]:list-decimal [&_ol]:pl-5";

const dropCapClass =
  "[&>p:first-child]:first-letter:mr-[.2em] [&>p:first-child]:first-letter:font-display [&>p:first-child]:first-letter:font-[360] [&>p:first-child]:first-letter:text-copper-700 [&>p:first-child]:first-letter:[initial-letter:3]";

/**
 * Splits the blocks into sections at their breaks. A section that begins with a wide part shows only that part. In
 * other sections, a leading heading, quotes and pictures are placed beside the text.
 */
export function Sections({
  blocks,
  parts,
  hasDropCap,
}: {
  blocks: Block[];
  parts: Parts;
  hasDropCap?: boolean;
}) {
  const sections = splitSections(blocks);
  return sections.map((section, index) => {
    const [first] = section;
    const key = index;
    if (first?.kind === "part" && wideParts.includes(first.name))
      return <div key={key}>{parts[first.name]}</div>;
    const tone = sectionBackground(section);
    const previous = sections[index - 1];
    const isNotes = isTitle(first) && section.some((block) => block.kind === "list" && block.isNumbered);
    const isTight =
      tone === "plain" && first?.kind === "heading" && previous && sectionBackground(previous) === "plain";
    const sideCount = section.findIndex((block, position) => !isSideBlock(block, position, section));
    const sideBlocks = sideCount < 0 ? section : section.slice(0, sideCount);
    const textBlocks = section.slice(sideBlocks.length);
    return (
      <section
        key={key}
        className={`section ${tone === "cream" ? "bg-cream-soft" : ""} ${isTight ? "pt-0" : ""}`}
      >
        <div
          className={`wrap ${isNotes ? "gap-5 [&_h2]:text-h3 [&_h2+p]:text-small [&>*]:border-line lg:[&>*]:pt-6 [&>:first-child]:border-t [&>:first-child]:pt-6 lg:[&>*]:border-t" : "gap-12"} ${sideBlocks.length > 0 ? "grid lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]" : ""}`}
        >
          {sideBlocks.length > 0 && <SideBlocks blocks={sideBlocks} parts={parts} />}
          <Prose hasDropCap={hasDropCap && index === 0} isNotes={isNotes} blocks={textBlocks} parts={parts} />
        </div>
      </section>
    );
  });
}

function splitSections(blocks: readonly Block[]): Block[][] {
  const sections: Block[][] = [[]];
  for (const block of blocks) {
    if (block.kind === "break") sections.push([]);
    else sections.at(-1)?.push(block);
  }
  return sections.filter((section) => section.length > 0);
}

/** Background of a section: cream if it begins with a title and ends with terms. */
function sectionBackground(section: readonly Block[]): "wide" | "cream" | "plain" {
  const [first] = section;
  if (first?.kind === "part" && wideParts.includes(first.name)) return "wide";
  return isTitle(first) && section.at(-1)?.kind === "terms" ? "cream" : "plain";
}

const isTitle = (block: Block | undefined) => block?.kind === "heading" && block.level === 1;

function isSideBlock(block: Block, position: number, section: readonly Block[]): boolean {
  if (block.kind === "quote" || block.kind === "part") return !isTable(block);
  return position === 0
    ? isTitle(block)
    : position === 1 && block.kind === "paragraph" && isTitle(section[0]);
}

const isTable = (block: Block) => block.kind === "part" && block.name === "deliveryTable";

function SideBlocks({ blocks, parts }: { blocks: Block[]; parts: Parts }) {
  const [title, ...others] = blocks;
  const hasHeading = title?.kind === "heading";
  return (
    <div className={`grid ${hasHeading ? "gap-4 [&>.contents>*]:mt-4" : "gap-10"}`}>
      {hasHeading && (
        <h2 id={title.id}>
          <Runs runs={title.words} />
        </h2>
      )}
      {(hasHeading ? others : blocks).map((block, index) => {
        const key = index;
        if (block.kind === "paragraph")
          return (
            <p key={key} className="text-lead text-ink-muted">
              <Runs runs={block.words} />
            </p>
          );
        if (block.kind === "quote") return <PullQuote key={key} runs={block.words} />;
        return (
          block.kind === "part" && (
            // `contents`: a picture that is hidden on narrow screens leaves no gap there.
            <div key={key} className="contents">
              {parts[block.name]}
            </div>
          )
        );
      })}
    </div>
  );
}

function PullQuote({ runs }: { runs: Run[] }) {
  return (
    <p className="font-display text-quote tracking-[-.015em] text-balance">
      <Runs runs={runs} />
    </p>
  );
}

export function Prose({
  hasDropCap = false,
  isNotes = false,
  blocks,
  parts = {},
}: {
  hasDropCap?: boolean | undefined;
  isNotes?: boolean;
  blocks: Block[];
  parts?: Parts;
}) {
  return (
    <div className={isNotes ? notesClass : `${proseClass} ${hasDropCap ? dropCapClass : ""}`}>
      <Blocks blocks={blocks} parts={parts} />
    </div>
  );
}

export function Blocks({ blocks, parts = {} }: { blocks: readonly Block[]; parts?: Parts }) {
  return blocks.map((block, index) => {
    const key = index;
    switch (block.kind) {
      case "break":
        return null;
      case "part":
        return <div key={key}>{parts[block.name]}</div>;
      case "heading": {
        const Heading = block.level === 3 ? "h3" : "h2";
        return (
          <Heading key={key} id={block.id}>
            <Runs runs={block.words} />
          </Heading>
        );
      }
      case "quote":
        return <PullQuote key={key} runs={block.words} />;
      case "list": {
        const List = block.isNumbered ? "ol" : "ul";
        return (
          <List key={key}>
            {block.items.map((item, position) => (
              <li key={String(position)}>
                <Runs runs={item} />
              </li>
            ))}
          </List>
        );
      }
      case "terms":
        return (
          <dl key={key} className="border-b border-line text-base">
            {block.terms.map(({ name, words }, position) => (
              <div
                key={String(position)}
                className="grid gap-1 border-t border-line py-4.5 md:grid-cols-[10rem_1fr] md:gap-8"
              >
                <dt className="font-medium">
                  <Runs runs={name} />
                </dt>
                <dd className="text-ink-muted">
                  <Runs runs={words} />
                </dd>
              </div>
            ))}
          </dl>
        );
      default:
        return (
          <p key={key} {...(block.isSmall && { className: "text-small text-ink-muted" })}>
            <Runs runs={block.words} />
          </p>
        );
    }
  });
}

function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map((run, index) => <StyledText key={String(index)} {...run} />);
}

function StyledText({ text, href, isStrong, isEmphasis, isLatin }: Run): ReactNode {
  const strong = isStrong ? <strong className="font-semibold">{text}</strong> : text;
  // Slanted instead of the display font's italic, whose swashes make species names hard to read.
  const content = isLatin ? <i lang="la">{strong}</i> : isEmphasis ? <em>{strong}</em> : strong;
  if (href === undefined) return content;
  if (href.startsWith("/"))
    return (
      <Link to={href} className="link">
        {content}
      </Link>
    );
  // A reference to the list of sources at the page's end.
  if (href.startsWith("#") && /^\d+$/.test(text))
    return (
      <sup className="ml-0.5 leading-none">
        <a href={href} className="link px-1 py-2" aria-label={`Source ${text}`}>
          {text}
        </a>
      </sup>
    );
  return (
    <a href={href} className={`link ${href.startsWith("mailto:") ? "break-all" : ""}`} rel="noopener">
      {content}
    </a>
  );
}
