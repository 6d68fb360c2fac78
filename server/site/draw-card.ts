import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Font, openSync } from "fontkit";
import sharp from "sharp";
import { shareCardSize } from "../../domain/site/share-card.ts";
import { replaceMissingGlyphs } from "../platform/pdf.ts";
import type { CardToDraw } from "./cards.ts";

// Program that draws a share card in a child process: a line of JSON and a photograph on its input, a JPEG on its output. A
// process of its own frees libvips' memory afterwards and keeps the shop responsive.

const assets = join(import.meta.dirname, "../../assets");
const input = await buffer(process.stdin);
const lineEnd = input.indexOf("\n");
const { lines }: CardToDraw = JSON.parse(input.toString("utf8", 0, lineEnd));
const { width, height } = shareCardSize;
const pictureWidth = 500;
const margin = 64;
const textWidth = width - pictureWidth - 2 * margin;
const ink = { ground: "#233629", title: "#F4ECDD", detail: "#D9974A", line: "#A98850" };

const [title = "", ...details] = lines;
const titleFont = openFont(join(assets, "fonts/fraunces.woff2"));
const detailFont = openFont(join(assets, "fonts/card/figtree-500.woff2"));
/** Baseline of the last line of text. */
const bottom = height - margin - 8;
const detailSize = 32;
const detailLineHeight = 44;
const titleSize =
  [84, 72, 62].find((size) => wrapText(titleFont, title, size, textWidth, 9).length <= 3) ?? 54;
const titleLines = wrapText(titleFont, title, titleSize, textWidth, 4);
const detailLines = details.flatMap((detail) => wrapText(detailFont, detail, detailSize, textWidth, 2));
const detailTop = bottom - (detailLines.length - 1) * detailLineHeight;
/** Baseline of the title's last line, one empty line above the details. */
const titleBottom = bottom - (detailLines.length > 0 ? (detailLines.length + 1) * detailLineHeight : 0);
const titleLineHeight = titleSize * 1.08;

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <rect width="${width - pictureWidth}" height="${height}" fill="${ink.ground}"/>
  <rect x="${width - pictureWidth}" width="2" height="${height}" fill="${ink.line}"/>
  ${textPaths(titleFont, titleLines, {
    x: margin,
    y: titleBottom - (titleLines.length - 1) * titleLineHeight,
    size: titleSize,
    lineHeight: titleLineHeight,
    fill: ink.title,
  })}
  ${textPaths(detailFont, detailLines, { x: margin, y: detailTop, size: detailSize, lineHeight: detailLineHeight, fill: ink.detail })}
</svg>`;
const logo = await sharp(readFileSync(join(assets, "brand/logo-light.svg")), { density: 144 })
  .resize({ height: 60 })
  .png()
  .toBuffer();
const photograph = await sharp(input.subarray(lineEnd + 1))
  .resize(pictureWidth, height, { fit: "cover" })
  .toBuffer();

process.stdout.write(
  await sharp({ create: { width, height, channels: 3, background: ink.ground } })
    .composite([
      { input: photograph, left: width - pictureWidth, top: 0 },
      { input: Buffer.from(drawing), left: 0, top: 0 },
      { input: logo, left: margin, top: margin },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer(),
);

/** Loads a font for drawing text as outlines, so that the server needs no installed fonts. */
function openFont(file: string): Font {
  const font = openSync(file);
  if ("fonts" in font) throw new Error(`${file} holds several fonts`);
  return font;
}

/** Wraps text to at most `maxLines` lines of `width` pixels; a longer word is cut. */
function wrapText(font: Font, text: string, size: number, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const line = lines.at(-1);
    const longer = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && measureWidth(font, longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const visible = lines.slice(0, maxLines);
  const isCut = lines.length > maxLines;
  return visible.map((line, index) =>
    shorten(font, isCut && index === maxLines - 1 ? `${line}…` : line, size, width),
  );
}

/** One SVG path per line; `y` is the baseline of the first line. */
function textPaths(
  font: Font,
  lines: readonly string[],
  style: { x: number; y: number; size: number; lineHeight: number; fill: string },
): string {
  const scale = style.size / font.unitsPerEm;
  return lines
    .map((line, index) => {
      const transform = `translate(${style.x} ${style.y + index * style.lineHeight}) scale(${scale} ${-scale})`;
      return `<path fill="${style.fill}" transform="${transform}" d="${lineOutline(font, line)}"/>`;
    })
    .join("");
}

function lineOutline(font: Font, line: string): string {
  const { glyphs, positions } = font.layout(replaceMissingGlyphs(font, line));
  let x = 0;
  return glyphs
    .map((glyph, index) => {
      const path = glyph.path.translate(x, 0).toSVG();
      x += positions[index]?.xAdvance ?? glyph.advanceWidth;
      return path;
    })
    .join("");
}

function shorten(font: Font, line: string, size: number, width: number): string {
  let visible = line;
  while (measureWidth(font, visible, size) > width) visible = `${visible.replace(/….*$/, "").slice(0, -1)}…`;
  return visible;
}

function measureWidth(font: Font, text: string, size: number): number {
  return (font.layout(replaceMissingGlyphs(font, text)).advanceWidth * size) / font.unitsPerEm;
}
