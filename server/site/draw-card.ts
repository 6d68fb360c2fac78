import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { shareCardSize } from "../../domain/site/share-card.ts";
import { openFont, textPaths, wrapText } from "./card-text.ts";
import type { CardToDraw } from "./cards.ts";

/**
 * Program that draws a share card in a child process: a line of JSON and a photograph on its input, a JPEG on its output. This
 * frees libvips' memory afterwards and keeps the shop responsive.
 */
const assets = join(import.meta.dirname, "../../assets");
const input = await buffer(process.stdin);
const lineEnd = input.indexOf("\n");
const { words }: CardToDraw = JSON.parse(input.toString("utf8", 0, lineEnd));
const { width, height } = shareCardSize;
const pictureWidth = 500;
const margin = 64;
const textWidth = width - pictureWidth - 2 * margin;
const ink = { ground: "#233629", title: "#F4ECDD", detail: "#D9974A", line: "#A98850" };

const [title = "", ...details] = words;
const titleFont = openFont(join(assets, "fonts/card/fraunces-360.woff2"));
const detailFont = openFont(join(assets, "fonts/card/figtree-500.woff2"));
const titleSize =
  [84, 72, 62].find((size) => wrapText(titleFont, title, size, textWidth, 9).length <= 3) ?? 54;
const titleLines = wrapText(titleFont, title, titleSize, textWidth, 4);
const detailLines = details.flatMap((detail) => wrapText(detailFont, detail, 32, textWidth, 2));
const detailTop = height - margin - 8 - (detailLines.length - 1) * 44;
const titleTop = height - margin - 8 - (detailLines.length > 0 ? detailLines.length * 44 + 44 : 0);

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <rect width="${width - pictureWidth}" height="${height}" fill="${ink.ground}"/>
  <rect x="${width - pictureWidth}" width="2" height="${height}" fill="${ink.line}"/>
  ${textPaths(titleFont, titleLines, {
    x: margin,
    y: titleTop - (titleLines.length - 1) * titleSize * 1.08,
    size: titleSize,
    lineHeight: titleSize * 1.08,
    fill: ink.title,
  })}
  ${textPaths(detailFont, detailLines, { x: margin, y: detailTop, size: 32, lineHeight: 44, fill: ink.detail })}
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
