import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fontkit from "fontkit";
import { expect, test } from "vitest";
import { documentFonts, openDocument, replaceMissingGlyphs, type TextPart, textDocument } from "./pdf.ts";

// pdfkit leaves out characters without a glyph, as it did with the minus sign of discounts.
test.each(["books/invoice-pdf.ts", "labels/pdf.ts", "disputes/evidence/draft.ts"])(
  "the fonts of documents have each character that %s writes",
  (file) => {
    const characters = new Set(
      readFileSync(join(import.meta.dirname, "..", file), "utf8").match(/[^ -~\n]/gu),
    );
    for (const path of Object.values(documentFonts)) {
      const font = fontkit.openSync(path);
      const missing = [...characters].filter(
        (character) =>
          !("hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)),
      );
      expect(missing, path).toEqual([]);
    }
  },
);

const details = { title: "Messages", author: "Palmira", date: new Date("2026-11-20T10:00:00Z") };

test("letters that the fonts lack are printed as question marks instead of being left out", async () => {
  const withName = (text: string) => textDocument({ ...details, parts: [{ text }] });
  expect((await withName("Żółty 山田")).equals(await withName("Żółty ??"))).toBe(true);
  const font = fontkit.openSync(documentFonts.regular);
  expect(replaceMissingGlyphs(font, "Żółty\n山 \u{1f334}oil")).toBe("Żółty\n? oil");
  const { doc } = await openDocument({});
  const textHeight = (text: string) => doc.heightOfString(text.repeat(100), { width: 100 });
  expect(textHeight("山 ")).toBe(textHeight("? "));
});

test("a link to the shop loses its token in a document", async () => {
  const link = "https://shop.example/orders/7?token=";
  const withLink = (token: string): TextPart[] => [
    { heading: `Ada ${link}${token}` },
    { small: `${link}${token}` },
    { text: `See ${link}${token}, please.` },
  ];
  const withToken = await textDocument({ ...details, parts: withLink(`1.t4x9ab.${"Ab-_9".repeat(8)}xyz`) });
  const withoutToken = await textDocument({ ...details, parts: withLink("removed") });
  expect(withToken.equals(withoutToken)).toBe(true);
});

test("a document's bytes do not depend on the documents made before it", async () => {
  const write = async (text: string) => {
    const { doc, finish } = await openDocument({ compress: false });
    doc.font("bold").text(text);
    return (await finish()).toString("latin1");
  };
  // Its glyph contains that of "W", which the font then has without a character.
  await write("Ŵ");
  // The characters of the document's glyphs, for readers that copy or search.
  const characters = /beginbfrange[^[]*\[([^\]]*)/.exec(await write("W"))?.[1];
  expect(characters).toBe("<0000> <0057>");
});
