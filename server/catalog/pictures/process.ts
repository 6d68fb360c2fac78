import { constants, setPriority } from "node:os";
import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { pictureWidths } from "../../../domain/catalog/product-image.ts";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import type { CheckedPicture, PictureRequest, PictureResult } from "./decoder.ts";
import { encodeSize } from "./files.ts";

/**
 * Program that decodes uploaded pictures in a child process: a line of JSON and a picture on its input, a line of JSON and
 * the encoded sizes on its output. A malicious file harms only this process, which has no secrets, writes no file and runs
 * at low priority; its memory is freed when it ends.
 */
setPriority(constants.priority.PRIORITY_LOW);
sharp.concurrency(1);
sharp.cache(false);
// Only these four decoders are allowed: no SVG, GIF or TIFF, nor formats that later versions of libvips add.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["Jpeg", "Png", "Webp", "Heif"].map((name) => `VipsForeignLoad${name}`) });

/** Background of transparent pictures: the shop's paper color. */
const background = "#f1e6d2";
const { maxSide, minWidth } = uploadLimits;
/** AVIF is decoded as a whole and takes 18 bytes a pixel: 1.2 GB for the largest width and height, even from a file of 1 kB. */
const maxAvifPixels = 16_000_000;
/** Media types by libvips' format names. */
const mediaTypes = { jpeg: "image/jpeg", png: "image/png", webp: "image/webp", heif: "image/avif" } as const;
const damagedRefusal = refuse(
  "This picture is damaged or incomplete. Save it again and upload the new file.",
);

const input = await buffer(process.stdin);
const lineEnd = input.indexOf("\n");
const request = JSON.parse(input.toString("utf8", 0, lineEnd)) as PictureRequest;
const source = input.subarray(lineEnd + 1);
if (request.task === "check") respond(await check(), []);
else await encode(request);

function respond(line: CheckedPicture | PictureResult, sizes: Buffer[]): void {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), ...sizes]));
}

function openPicture(): Sharp {
  return sharp(source, { failOn: "error", limitInputPixels: maxSide * maxSide });
}

/** Detects the format from the content, as browsers and phones often save one format under another's name. */
async function check(): Promise<CheckedPicture> {
  const metadata = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  const format = metadata && isReadable(metadata.format) ? metadata.format : null;
  // HEIC uses the same container with an encoding that this libvips cannot read.
  if (!metadata || !format || (format === "heif" && metadata.compression !== "av1")) {
    return refuse("This is not a JPEG, PNG, WebP or AVIF picture. Save it as one of these and try again.");
  }
  if ((metadata.pages ?? 1) > 1)
    return refuse("This picture is animated. Save one frame of it as a picture.");
  const { width, height } = metadata.autoOrient;
  if (Math.max(width, height) > maxSide) {
    return refuse(
      `This picture is ${width} × ${height} pixels. Resize it to at most ${maxSide} pixels a side.`,
    );
  }
  if (format === "heif" && width * height > maxAvifPixels) {
    return refuse(`This picture is ${width} × ${height} pixels, too many for AVIF. Save it as JPEG.`);
  }
  // Decodes every pixel, to detect truncated or broken files before shoppers see them.
  const isComplete = await openPicture()
    .resize(64)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
  return isComplete
    ? { ok: true, type: mediaTypes[format], ...outputSize({ width, height }) }
    : damagedRefusal;
}

/** Pictures narrower than the smallest width are enlarged to it, so that every picture has that size. */
function outputSize({ width, height }: { width: number; height: number }) {
  if (width >= minWidth) return { width, height };
  return { width: minWidth, height: Math.min(maxSide, Math.round((height * minWidth) / width)) };
}

/** Rotates the picture, drops its metadata (places, names), converts it to sRGB and encodes the sizes. */
async function encode({ sizes }: Extract<PictureRequest, { task: "encode" }>): Promise<void> {
  const metadata = await openPicture()
    .metadata()
    .catch(() => null);
  if (!metadata) return respond(damagedRefusal, []);
  const original = metadata.autoOrient;
  const upright = openPicture().autoOrient().flatten({ background });
  // Scaled down early: from here on it takes a few MB, however large the original is.
  const pixels = await upright
    .resize(
      original.width < minWidth
        ? { ...outputSize(original), fit: "contain", background }
        : { width: Math.max(...pictureWidths), withoutEnlargement: true },
    )
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  if (!pixels) return respond(damagedRefusal, []);
  const { data, info } = pixels;
  const { width, height, channels } = info;
  const encodedSizes: Buffer[] = [];
  for (const size of sizes) {
    encodedSizes.push(await encodeSize(sharp(data, { raw: { width, height, channels } }), size).toBuffer());
  }
  respond({ ok: true, lengths: encodedSizes.map(({ length }) => length) }, encodedSizes);
}

function isReadable(format: string | undefined): format is keyof typeof mediaTypes {
  return format !== undefined && Object.hasOwn(mediaTypes, format);
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
