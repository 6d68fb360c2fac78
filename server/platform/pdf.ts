import { fileURLToPath } from "node:url";
import type { Font, FontCollection } from "fontkit";
import { withInertLinks } from "./http/inert-links.ts";

// Latin, Greek and Cyrillic: a buyer's name may be in any of them.
export const documentFonts = {
  regular: fileURLToPath(new URL("../../assets/fonts/documents/noto-sans-regular.ttf", import.meta.url)),
  bold: fileURLToPath(new URL("../../assets/fonts/documents/noto-sans-bold.ttf", import.meta.url)),
};

/** Opened once: the books of a period may have thousands of documents, and reading a font takes longer than writing one. */
let fonts: Record<keyof typeof documentFonts, Font | FontCollection> | undefined;

/**
 * An empty document (PDF) with the fonts "regular" and "bold", and a function that ends it and returns its bytes, which are the same
 * for the same input.
 */
export async function openDocument(options: PDFKit.PDFDocumentOptions) {
  // Loaded on demand, since they take time and memory.
  const [{ default: PDFDocument }, { openSync }] = await Promise.all([import("pdfkit"), import("fontkit")]);
  fonts ??= { regular: openSync(documentFonts.regular), bold: openSync(documentFonts.bold) };
  const { regular, bold } = fonts;
  const source = withOwnGlyphs(regular);
  const doc = new PDFDocument({ ...options, font: source as string });
  doc.registerFont("regular", source).registerFont("bold", withOwnGlyphs(bold));
  const chunks: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => doc.on("end", resolve));
  const text = doc.text.bind(doc) as (words: string, ...rest: unknown[]) => PDFKit.PDFDocument;
  const heightOfString = doc.heightOfString.bind(doc);
  doc.text = (words: string, ...rest: unknown[]) => text(replaceMissingGlyphs(regular, words), ...rest);
  doc.heightOfString = (words, options) => heightOfString(replaceMissingGlyphs(regular, words), options);
  return {
    doc,
    async finish(): Promise<Buffer> {
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

/**
 * The font for one document. fontkit caches a glyph with the characters that it first stood for, and PDF readers would then copy
 * and search those in every later document. Everything else, which takes time to read, is shared. pdfkit accepts an open font,
 * although its types do not say so.
 */
function withOwnGlyphs(font: Font | FontCollection): PDFKit.Mixins.PDFFontSource {
  return Object.create(font, { _glyphs: { value: {} } });
}

/**
 * The text with characters that the font lacks replaced: letters and digits, such as those of a Japanese name, by question
 * marks; others are removed. pdfkit would silently drop both, and share cards would show boxes.
 */
export function replaceMissingGlyphs(font: Font | FontCollection, text: string): string {
  const hasGlyph = (character: string) =>
    "hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  return text.replace(/\P{Cc}/gu, (character) =>
    hasGlyph(character) ? character : /[\p{L}\p{N}]/u.test(character) ? "?" : "",
  );
}

/** A part of a document of plain text. */
export type TextPart = { heading: string } | { text: string } | { small: string };

/**
 * A document of plain text (PDF, A4) as bytes. Line breaks are kept. Tokens of links are removed, since readers
 * are not the recipients of the quoted texts.
 */
export async function textDocument(content: {
  title: string;
  author: string;
  date: Date;
  parts: readonly TextPart[];
}): Promise<Buffer> {
  const { doc, finish } = await openDocument({
    size: "A4",
    margin: 56,
    info: { Title: content.title, Author: content.author, CreationDate: content.date },
  });
  doc.font("bold").fontSize(16).fillColor("#2b2620").text(content.title);
  doc.moveDown(0.6);
  for (const part of content.parts) {
    if ("heading" in part) {
      doc.moveDown(0.4).font("bold").fontSize(11).fillColor("#2b2620").text(withInertLinks(part.heading));
    } else if ("small" in part) {
      doc.font("regular").fontSize(9).fillColor("#6b6257").text(withInertLinks(part.small));
    } else {
      doc.font("regular").fontSize(10).fillColor("#2b2620").text(withInertLinks(part.text)).moveDown(0.4);
    }
  }
  return finish();
}
