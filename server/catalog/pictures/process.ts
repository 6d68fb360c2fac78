import { constants, setPriority } from "node:os";
import { json } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { uploadLimits } from "../../../domain/catalog/product-admin.ts";
import { pictureWidths } from "../../../domain/catalog/product-image.ts";
import { makeSize, sizesOf } from "./files.ts";
import type { PictureAnswer, PictureOrder } from "./store.ts";

/**
 * A program of its own, which takes one order as JSON and answers with JSON: what uploaded files do to a decoder, and
 * what that needs of memory, ends with the process. It sees no secrets, and the shop goes first.
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
const formats = ["jpeg", "png", "webp", "heif"];
const damaged = refused("This picture is damaged or incomplete. Save it again and upload the new file.");

const order = (await json(process.stdin)) as PictureOrder;
const answer: PictureAnswer = order.task === "check" ? await check(order.source) : await make(order);
process.stdout.write(JSON.stringify(answer));

function openPicture(source: string): Sharp {
  return sharp(source, { failOn: "error", limitInputPixels: sideMax * sideMax });
}

/** By what is in it: browsers and phones often save one kind under another’s name. */
async function check(source: string): Promise<PictureAnswer> {
  const facts = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  const format = facts && formats.includes(facts.format) ? facts.format : null;
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
  const isWhole = await openPicture(source)
    .resize(64)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
  return isWhole ? { ok: true, ...shownSize({ width, height }) } : damaged;
}

/** The smallest size made of every picture is as wide as all of the smallest: a narrower one is enlarged to it. */
function shownSize({ width, height }: { width: number; height: number }) {
  if (width >= widthMin) return { width, height };
  return { width: widthMin, height: Math.min(sideMax, Math.round((height * widthMin) / width)) };
}

/** Turned upright, without what cameras write beside the picture (places, names), in the colors that browsers expect. */
async function make({
  source,
  file,
  hash,
  folder,
}: Extract<PictureOrder, { task: "make" }>): Promise<PictureAnswer> {
  const facts = await openPicture(source)
    .metadata()
    .catch(() => null);
  if (!facts) return damaged;
  const own = facts.autoOrient;
  const upright = openPicture(source).autoOrient().flatten({ background: ground });
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
  if (!pixels) return damaged;
  const { data, info } = pixels;
  const { width: masterWidth, height, channels } = info;
  for (const { width, formats } of sizesOf(masterWidth)) {
    for (const format of formats) {
      const whole = sharp(data, { raw: { width: masterWidth, height, channels } });
      await makeSize(whole, { file, hash }, { width, format, folder });
    }
  }
  return { ok: true, width: masterWidth, height };
}

function refused(reason: string): PictureAnswer {
  return { ok: false, reason };
}
