import { constants, setPriority } from "node:os";
import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { pictureWidths } from "../../../domain/catalog/product-image.ts";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import type { CheckedPicture, PictureAnswer, PictureOrder } from "./decoder.ts";
import { encodeSize } from "./files.ts";

/**
 * A program of its own, which takes a line of JSON and a picture, and answers with a line of JSON and what it made: what
 * uploaded files do to a decoder, and what that needs of memory, ends with the process. It sees no secrets and writes no
 * file, and the shop goes first.
 */
setPriority(constants.priority.PRIORITY_LOW);
sharp.concurrency(1);
sharp.cache(false);
// What cannot be opened cannot go wrong: neither SVG, GIF and TIFF nor anything that libvips may learn to read one day.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["Jpeg", "Png", "Webp", "Heif"].map((name) => `VipsForeignLoad${name}`) });

/** Under what has none: the shop's own paper. */
const ground = "#f1e6d2";
const { sideMax, widthMin } = uploadLimits;
/** What libvips calls them, and what they are. */
const types = { jpeg: "image/jpeg", png: "image/png", webp: "image/webp", heif: "image/avif" } as const;
const damaged = refused("This picture is damaged or incomplete. Save it again and upload the new file.");

const input = await buffer(process.stdin);
const lineEnd = input.indexOf("\n");
const order = JSON.parse(input.toString("utf8", 0, lineEnd)) as PictureOrder;
const source = input.subarray(lineEnd + 1);
if (order.task === "check") answer(await check(), []);
else await make(order);

function answer(line: CheckedPicture | PictureAnswer, made: Buffer[]): void {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), ...made]));
}

function openPicture(): Sharp {
  return sharp(source, { failOn: "error", limitInputPixels: sideMax * sideMax });
}

/** By what is in it: browsers and phones often save one kind under another’s name. */
async function check(): Promise<CheckedPicture> {
  const facts = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  const format = facts && isReadable(facts.format) ? facts.format : null;
  // HEIC comes in the same container, in an encoding that this does not read.
  if (!facts || !format || (format === "heif" && facts.compression !== "av1")) {
    return refused("This is not a JPEG, PNG, WebP or AVIF picture. Save it as one of these and try again.");
  }
  if ((facts.pages ?? 1) > 1) return refused("This picture is animated. Save one frame of it as a picture.");
  const { width, height } = facts.autoOrient;
  if (Math.max(width, height) > sideMax) {
    return refused(
      `This picture is ${width} × ${height} pixels. At most ${sideMax} a side: make it smaller.`,
    );
  }
  // Every pixel is read once: what is cut short or broken inside comes to light now, not in front of a shopper.
  const isWhole = await openPicture()
    .resize(64)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
  return isWhole ? { ok: true, type: types[format], ...shownSize({ width, height }) } : damaged;
}

/** The smallest size made of every picture is as wide as all of the smallest: a narrower one is enlarged to it. */
function shownSize({ width, height }: { width: number; height: number }) {
  if (width >= widthMin) return { width, height };
  return { width: widthMin, height: Math.min(sideMax, Math.round((height * widthMin) / width)) };
}

/** Turned upright, without what cameras write beside the picture (places, names), in the colors that browsers expect. */
async function make({ sizes }: Extract<PictureOrder, { task: "make" }>): Promise<void> {
  const facts = await openPicture()
    .metadata()
    .catch(() => null);
  if (!facts) return answer(damaged, []);
  const own = facts.autoOrient;
  const upright = openPicture().autoOrient().flatten({ background: ground });
  // From here on a few MB, however large the original is.
  const pixels = await upright
    .resize(
      own.width < widthMin
        ? { ...shownSize(own), fit: "contain", background: ground }
        : { width: Math.max(...pictureWidths), withoutEnlargement: true },
    )
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  if (!pixels) return answer(damaged, []);
  const { data, info } = pixels;
  const { width, height, channels } = info;
  const made: Buffer[] = [];
  for (const size of sizes) {
    made.push(await encodeSize(sharp(data, { raw: { width, height, channels } }), size).toBuffer());
  }
  answer({ ok: true, lengths: made.map(({ length }) => length) }, made);
}

function isReadable(format: string | undefined): format is keyof typeof types {
  return format !== undefined && Object.hasOwn(types, format);
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
