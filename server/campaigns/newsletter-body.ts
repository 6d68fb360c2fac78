import { toProductImage, uploadedHash } from "../../domain/catalog/product-image.ts";
import type { NewsletterPart } from "../../domain/outbox/email.ts";
import { findPublicSizes } from "../catalog/pictures/originals.ts";
import { parseContent } from "../content/parse.ts";
import type { Db } from "../platform/database/database.ts";

const maxPictures = 10;
const pictureProblem = "a picture has a line of its own, as “Add a picture” writes it.";
/** A picture on a separate line: `![A bottle [50 ml] in the sun](u-0123456789abcdef.jpg)`. */
const pictureLine = /^\s*!\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*(u-[0-9a-f]{16}\.jpg)\s*\)\s*$/;

/**
 * Reads a newsletter's text: Markdown as in other e-mails, and uploaded pictures between its paragraphs. `problems` name the
 * line.
 */
export async function readNewsletterBody(
  db: Db,
  { body, publicUrl, isFact }: { body: string; publicUrl: string; isFact(name: string): boolean },
): Promise<{ parts: NewsletterPart[]; problems: string[] }> {
  const lines = body.split("\n");
  const matches = lines.map((line) => pictureLine.exec(line));
  const files = matches.flatMap((match) => match?.[2] ?? []);
  const sizes = await findPublicSizes(db, files);
  const problems: string[] = [];
  const parts: NewsletterPart[] = [];
  let from = 0;
  const readWords = (to: number) => {
    const first = lines.findIndex((line, index) => index >= from && index < to && line.trim() !== "");
    if (from > 0 && /^\s*(?!1[.)])\d+[.)]\s/.test(lines[first] ?? ""))
      problems.push(`Line ${first + 1}: below a picture, a numbered list begins at 1. Move the picture.`);
    // Empty lines above keep the line numbers of problems correct.
    const text = "\n".repeat(from) + lines.slice(from, to).join("\n");
    from = to + 1;
    const parsed = parseContent({ kind: "email", isFact, pictureProblem }, text);
    problems.push(...parsed.problems);
    if (parsed.blocks.length > 0) parts.push({ kind: "words", blocks: parsed.blocks });
  };
  for (const [index, match] of matches.entries()) {
    if (!match) continue;
    readWords(index);
    const [, alt = "", file = ""] = match;
    const size = sizes.get(file);
    const addProblem = (sentence: string) => void problems.push(`Line ${index + 1}: ${sentence}`);
    if (alt.trim() === "")
      addProblem("write what the picture shows between [ and ], for readers who do not see it.");
    if (!size) addProblem("this picture is not in the shop. Add it again.");
    else {
      const { url, ...dimensions } = toProductImage({ file, ...size, hash: uploadedHash(file) ?? "" }, alt);
      parts.push({ kind: "picture", url: publicUrl + url, alt: alt.trim(), ...displaySize(dimensions) });
    }
  }
  readWords(lines.length);
  if (matches.filter(Boolean).length > maxPictures) problems.push(`At most ${maxPictures} pictures.`);
  return { parts, problems };
}

/** Width (px) of an e-mail's text. */
const maxWidth = 536;

function displaySize({ width, height }: { width: number; height: number }) {
  const displayWidth = Math.min(width, maxWidth);
  return { width: displayWidth, height: Math.round((height * displayWidth) / width) };
}
