import { type Font, openSync } from "fontkit";

/** Loads a font for drawing text as outlines, so that the server needs no installed fonts. */
export function openFont(file: string): Font {
  const font = openSync(file);
  if ("fonts" in font) throw new Error(`${file} holds several fonts`);
  return font;
}

/** Wraps text to at most `linesMax` lines of `width` pixels; a longer word is cut. */
export function wrapText(font: Font, text: string, size: number, width: number, linesMax: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const line = lines.at(-1);
    const longer = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && widthOf(font, longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const visible = lines.slice(0, linesMax);
  const isCut = lines.length > linesMax;
  return visible.map((line, at) =>
    shorten(font, isCut && at === linesMax - 1 ? `${line}…` : line, size, width),
  );
}

/** One SVG path per line; `y` is the baseline of the first. */
export function textPaths(
  font: Font,
  lines: readonly string[],
  at: { x: number; y: number; size: number; lineHeight: number; fill: string },
): string {
  const scale = at.size / font.unitsPerEm;
  return lines
    .map((line, index) => {
      const transform = `translate(${at.x} ${at.y + index * at.lineHeight}) scale(${scale} ${-scale})`;
      return `<path fill="${at.fill}" transform="${transform}" d="${outlineOf(font, line)}"/>`;
    })
    .join("");
}

function outlineOf(font: Font, line: string): string {
  const { glyphs, positions } = font.layout(supportedText(font, line));
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
  while (widthOf(font, visible, size) > width) visible = `${visible.replace(/….*$/, "").slice(0, -1)}…`;
  return visible;
}

function widthOf(font: Font, text: string, size: number): number {
  return (font.layout(supportedText(font, text)).advanceWidth * size) / font.unitsPerEm;
}

/** Drops letters that the Latin fonts lack, which would be drawn as boxes. */
function supportedText(font: Font, text: string): string {
  return [...text].filter((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)).join("");
}
