import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import { adminBrowser, send } from "../../../test/admin.ts";
import { soon } from "../../../test/patience.ts";
import { buyBottle } from "../../../test/reviews.ts";
import { openTestShop } from "../../../test/shop.ts";
import { orderLines } from "../../orders/tables.ts";
import { pictureOriginals, productImages } from "../tables.ts";
import { purgePictures } from "./jobs.ts";
import { readOriginal, sha256 } from "./originals.ts";
import { mailPicture } from "./sizes.ts";

const path = "/api/admin/products/1/images";
const alt = "The bottle in the morning sun";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

const picture = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#b5703a",
    },
  });
/** Few pixels high, so that its resized files are encoded quickly. */
const jpeg = (width = 600, height = 60) => picture(width, height).jpeg().toBuffer();

async function upload(
  bytes: Buffer,
  { name = "bottle.jpg", altText = alt, browser = admin, headers = {}, to = path } = {},
) {
  const form = new FormData();
  form.set("image", new File([new Uint8Array(bytes)], name));
  form.set("alt", altText);
  const response = await browser.fetch(to, { method: "POST", body: form, headers });
  return { status: response.status, body: await response.json() };
}

const readGallery = async () => (await admin.get("/api/admin/products/1")).body.data.images;
const readOriginals = async () =>
  (await shop.database.db.select({ file: pictureOriginals.file }).from(pictureOriginals)).map(
    ({ file }) => file,
  );
const masterFile = (url: string) => `${/u-[0-9a-f]{16}/.exec(url)?.[0]}.jpg`;
const imagesFolder = () => join(shop.dataDir, "images");

test("an uploaded picture is rotated, loses its metadata, and is shown once its resized files are ready", async () => {
  const sideways = await picture(100, 1300)
    .withExif({ IFD0: { Artist: "Somebody" }, IFD3: { GPSLatitude: "6/1 18/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { status, body } = await upload(sideways);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ alt, status: "processing", position: 8, width: 1080, isDrawn: false });
  expect((await readGallery())[0].isDrawn).toBe(true);
  expect(body.data.url).toMatch(/^\/images\/u-[0-9a-f]{16}-1080\.[0-9a-f]{8}\.jpg$/);
  const shopper = shop.browser();
  const readImages = async () => (await shopper.get("/api/products/pure-batana-oil")).body.data.images;
  if ((await readGallery()).at(-1).status === "processing") expect(await readImages()).toHaveLength(8);
  await shop.jobsDone();
  await expect.poll(async () => (await readImages()).length, soon).toBe(9);
  const last = (await readImages()).at(-1);
  expect(last.srcset.avif.split(", ")).toHaveLength(5);
  for (const size of [last.url, ...Object.values<string>(last.srcset).flatMap((set) => set.split(", "))]) {
    const result = await shopper.fetch(size.split(" ")[0] ?? "");
    expect(result.status).toBe(200);
    expect(result.headers.get("cache-control")).toContain("immutable");
    const metadata = await sharp(Buffer.from(await result.arrayBuffer())).metadata();
    expect(metadata.width).toBeGreaterThan(metadata.height);
    expect(metadata.exif).toBeUndefined();
  }
  const file = masterFile(last.url);
  expect(await readOriginal(shop.database.db, file)).toEqual(sideways);
  expect(await readdir(shop.dataDir)).not.toContain("uploads");
  expect((await shopper.fetch(`/images/${file}`)).status).toBe(404);
});

test.each(["png", "webp", "avif"] as const)(
  "a %s picture is accepted, and its transparent areas get the shop's background color",
  async (format) => {
    const transparent = await sharp({
      create: { width: 500, height: 500, channels: 4, background: "#00000000" },
    })
      .toFormat(format)
      .toBuffer();
    // The content decides, not the file name.
    const { status, body } = await upload(transparent, { name: "clear.jpg" });
    expect(status).toBe(201);
    await shop.jobsDone();
    const result = await shop.browser().fetch(body.data.url);
    const { dominant } = await sharp(Buffer.from(await result.arrayBuffer())).stats();
    expect(dominant.r).toBeGreaterThan(200);
  },
);

describe("refused uploads give a reason and store nothing", () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="9"/></svg>',
  );
  test.each<[string, () => Promise<Buffer>, string, RegExp]>([
    ["an SVG", async () => svg, "bottle.svg", /not a JPEG/],
    ["an SVG that calls itself a PNG", async () => svg, "bottle.png", /not a JPEG/],
    ["a GIF", () => picture(600, 480).gif().toBuffer(), "bottle.gif", /not a JPEG/],
    ["a TIFF", () => picture(600, 480).tiff().toBuffer(), "bottle.jpg", /not a JPEG/],
    ["a text file", async () => Buffer.from("Not a picture at all"), "bottle.jpg", /not a JPEG/],
    ["half a JPEG", async () => firstHalf(await jpeg(600, 480)), "bottle.jpg", /damaged/],
    [
      "half a PNG",
      async () => firstHalf(await picture(600, 480).png().toBuffer()),
      "bottle.png",
      /damaged|not a JPEG/,
    ],
    [
      "half an AVIF",
      async () => firstHalf(await picture(600, 480).avif().toBuffer()),
      "bottle.avif",
      /damaged|not a JPEG/,
    ],
    [
      "a picture of too many pixels in height",
      () => picture(480, 8001).png().toBuffer(),
      "bottle.png",
      /480 × 8001/,
    ],
    [
      "a small file that decodes to gigabytes",
      async () => decompressionBomb(),
      "bottle.png",
      /60000 × 60000/,
    ],
    [
      "an AVIF of a few bytes that takes a gigabyte to decode",
      () => picture(4001, 4000).avif({ quality: 1, effort: 0 }).toBuffer(),
      "bottle.avif",
      /4001 × 4000 pixels, too many for AVIF/,
    ],
  ])("%s", async (_title, bytes, name, reason) => {
    const before = await readOriginals();
    const { status, body } = await upload(await bytes(), { name });
    expect(status).toBe(422);
    expect(body.fields.image).toMatch(reason);
    expect(await readOriginals()).toEqual(before);
  });

  test("a picture that kills the process that decodes it", async () => {
    // No earlier picture is still being decoded, and this one takes long enough to be found.
    await shop.jobsDone();
    const refused = upload(await jpeg(6_000, 6_000));
    const decoders = () =>
      spawnSync("pgrep", ["-P", String(process.pid), "-f", "pictures/process.ts"], { encoding: "utf8" })
        .stdout;
    await expect.poll(decoders, { ...soon, interval: 10 }).not.toBe("");
    process.kill(Number(decoders()), "SIGKILL");
    const { status, body } = await refused;
    expect([status, body.fields?.image]).toEqual([422, expect.stringMatching(/takes too long/)]);
  });

  test("more than 10 MiB", async () => {
    expect((await upload(Buffer.alloc(uploadLimits.bytes + 1))).status).toBe(413);
  });

  test("a picture without alternative text", async () => {
    const { status, body } = await upload(await jpeg(), { altText: "  " });
    expect(status).toBe(422);
    expect(body.fields.alt).toContain("what is in the picture");
  });

  test("by callers without access, from another origin, or for an unknown product", async () => {
    const bytes = await jpeg();
    expect((await upload(bytes, { browser: shop.browser() })).status).toBe(401);
    expect((await upload(bytes, { headers: { Origin: "https://elsewhere.example" } })).status).toBe(403);
    expect((await upload(bytes, { to: "/api/admin/products/4711/images" })).status).toBe(404);
  });
});

test("a picture narrower than the smallest size is enlarged to that size", async () => {
  const { status, body } = await upload(await picture(60, 40).png().toBuffer(), { name: "small.png" });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ width: 480, height: 320 });
  await shop.jobsDone();
  const result = await shop.browser().fetch(body.data.url);
  const metadata = await sharp(Buffer.from(await result.arrayBuffer())).metadata();
  expect([metadata.width, metadata.height]).toEqual([480, 320]);
  expect((await send(admin, "DELETE", `${path}/${body.data.id}`)).status).toBe(200);
});

describe("a gallery", () => {
  test("has pictures that can be reordered, and the first one is the thumbnail", async () => {
    const before = (await readGallery()).map(({ id }: { id: number }) => id);
    const last = before.at(-1);
    const { status, body } = await send(admin, "PATCH", `${path}/${last}`, { position: 0, alt: "New words" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: last, position: 0, alt: "New words" });
    expect((await readGallery()).map(({ id }: { id: number }) => id)).toEqual([last, ...before.slice(0, -1)]);
    const cart = await shop.browser().post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }] });
    expect(cart.body.data.items[0].image).toMatch(/^\/images\/u-.*-480\..*webp$/);
    expect((await shop.browser().fetch(cart.body.data.items[0].image)).status).toBe(200);
    await send(admin, "PATCH", `${path}/${last}`, { position: 20 });
    expect((await readGallery()).map(({ id }: { id: number }) => id)).toEqual(before);
  });

  test("gives every picture its own position even after concurrent moves", async () => {
    const ids = (await readGallery()).map(({ id }: { id: number }) => id);
    await Promise.all(ids.map((id: number) => send(admin, "PATCH", `${path}/${id}`, { position: 0 })));
    const rows = await shop.database.db.select().from(productImages).where(eq(productImages.productId, 1));
    expect(rows.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
      ids.map((_: number, index: number) => index),
    );
  });

  test.each([
    ["PATCH", { alt: "" }, 422],
    ["PATCH", {}, 422],
    ["PATCH", { position: -1 }, 422],
  ] as const)("refuses %s %j", async (method, body, status) => {
    const [{ id }] = await readGallery();
    expect((await send(admin, method, `${path}/${id}`, body)).status).toBe(status);
  });

  test("can be edited by the admin alone, and only for pictures of the product in the path", async () => {
    const [{ id }] = await readGallery();
    for (const method of ["PATCH", "DELETE"] as const) {
      expect((await send(shop.browser(), method, `${path}/${id}`, { alt: "x" })).status).toBe(401);
      expect((await send(admin, method, `/api/admin/products/2/images/${id}`, { alt: "x" })).status).toBe(
        404,
      );
      expect((await send(admin, method, `${path}/4711`, { alt: "x" })).status).toBe(404);
    }
  });

  test("has its removed pictures purged, except those that orders still show", async () => {
    const orderedPicture = await upload(await jpeg());
    await upload(await jpeg());
    const unused = (await readGallery()).at(-1);
    await shop.jobsDone();
    await send(admin, "PATCH", `${path}/${orderedPicture.body.data.id}`, { position: 0 });
    const orderId = await buyBottle(shop, shop.browser());
    for (const { id } of [orderedPicture.body.data, unused]) {
      expect((await send(admin, "DELETE", `${path}/${id}`)).status).toBe(200);
    }
    const later = new Date(Date.now() + 8 * 24 * 60 * 60 * 1000);
    await purgePictures(shop.ctx);
    expect((await shop.browser().fetch(unused.url)).status).toBe(200);
    await purgePictures({ ...shop.ctx, now: () => later });
    expect((await shop.browser().fetch(unused.url)).status).toBe(404);
    const order = (await admin.get(`/api/orders/${orderId}`)).body.data;
    expect((await shop.browser().fetch(order.items[0].image)).status).toBe(200);
    const [line] = await shop.database.db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
    expect(line?.image).toMatch(/^u-[0-9a-f]{16}\.jpg$/);
    expect(await readOriginals()).toContain(line?.image);
    expect(await readOriginals()).not.toContain(masterFile(unused.url));
  });

  test("of a duplicated product keeps its pictures when the original's are deleted", async () => {
    const { body: first } = await upload(await jpeg(), { altText: "To be copied" });
    await shop.jobsDone();
    const { body: copy } = await admin.post("/api/admin/products/1/duplicate");
    await shop.jobsDone();
    expect((await send(admin, "DELETE", `${path}/${first.data.id}`)).status).toBe(200);
    await purgePictures({ ...shop.ctx, now: () => new Date(Date.now() + 8 * 24 * 60 * 60 * 1000) });
    const { images } = (await admin.get(`/api/admin/products/${copy.data.id}`)).body.data;
    const copiedImage = images.find((image: { alt: string }) => image.alt === "To be copied");
    expect(copiedImage.status).toBe("ready");
    expect(copiedImage.url).not.toBe(first.data.url);
    expect((await shop.browser().fetch(copiedImage.url)).status).toBe(200);
  });
});

describe("the resized files of a picture", () => {
  const listResizedFiles = async (url: string) =>
    (await readdir(imagesFolder())).filter((name) => name.includes(masterFile(url).slice(0, 18)));

  test("are made again after the folder was deleted, once for concurrent requests", async () => {
    const { body } = await upload(await jpeg());
    await shop.jobsDone();
    await rm(shop.dataDir, { recursive: true });
    const responses = await Promise.all(
      [1, 2, 3].map(async () => {
        const result = await shop.browser().fetch(body.data.url);
        return { status: result.status, bytes: Buffer.from(await result.arrayBuffer()) };
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses[1]).toEqual(responses[0]);
    expect(await listResizedFiles(body.data.url)).toHaveLength(1);
    // The size for e-mails is made again, too.
    const mailSize = await shop.browser().fetch(mailPicture(masterFile(body.data.url)));
    expect([mailSize.status, mailSize.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const head = await shop.browser().fetch(body.data.url, { method: "HEAD" });
    expect(head.headers.get("content-type")).toBe("image/jpeg");
  });

  test("are deleted once they are old if a killed process left them half written", async () => {
    await mkdir(imagesFolder(), { recursive: true });
    const [old, current] = ["old", "new"].map((name) => `u-0123456789abcdef-480.${name}.partial`) as [
      string,
      string,
    ];
    for (const name of [old, current]) await writeFile(join(imagesFolder(), name), "half");
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(imagesFolder(), old), twoHoursAgo, twoHoursAgo);
    await purgePictures(shop.ctx);
    expect((await readdir(imagesFolder())).filter((name) => name.endsWith(".partial"))).toEqual([current]);
  });

  test("are made once and served even if they cannot be written to disk", async () => {
    const { body } = await upload(await jpeg());
    await shop.jobsDone();
    await rm(imagesFolder(), { recursive: true });
    await writeFile(imagesFolder(), "in the way");
    const countFailures = () =>
      shop.logLines.filter((line) => line.includes("cannot be stored in DATA_DIR")).length;
    expect((await shop.browser().fetch(body.data.url)).status).toBe(200);
    expect(countFailures()).toBe(1);
    expect((await shop.browser().fetch(body.data.url)).status).toBe(200);
    expect(countFailures()).toBe(1);
    await rm(imagesFolder());
  });

  test("are made only in the widths that pages use", async () => {
    const { body } = await upload(await jpeg());
    const { url } = body.data;
    for (const unknownUrl of [
      url.replace("-600.", "-599."),
      url.replace(".jpg", ".avif").replace("-600.", "-1600."),
      url.replace("-600.", "-768."),
      url.replace(/\.[0-9a-f]{8}\./, ".00000000."),
      url.replace(/u-[0-9a-f]{16}/, "u-0123456789abcdef"),
      url.replace("/images/", "/images/..%2fimages%2f"),
    ]) {
      expect((await shop.browser().fetch(unknownUrl)).status, unknownUrl).toBe(404);
    }
  });

  test("cannot be made from a damaged original, and the panel shows why", async () => {
    const { body } = await upload(await jpeg());
    await shop.jobsDone();
    const { db } = shop.database;
    await rm(imagesFolder(), { recursive: true });
    const bytes = Buffer.from("gone");
    await db
      .update(pictureOriginals)
      .set({ bytes, size: bytes.length, sha256: sha256(bytes) })
      .where(eq(pictureOriginals.file, masterFile(body.data.url)));
    expect((await shop.browser().fetch(body.data.url)).status).toBe(404);
    expect(shop.logLines.join()).toContain("the original of a picture cannot be read");
    const [failed] = await db.select().from(productImages).where(eq(productImages.id, body.data.id));
    expect(failed).toMatchObject({
      status: "failed",
      problem: expect.stringContaining("upload the new file"),
    });
    const isShown = async () =>
      (await shop.browser().get("/api/products")).body.data[0].images.some(
        ({ url }: { url: string }) => url === body.data.url,
      );
    await expect.poll(isShown, soon).toBe(false);
    expect((await shop.browser().fetch(body.data.url)).status, "the original is not decoded again").toBe(404);
  });
});

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

/** A small PNG file whose header claims 60,000 × 60,000 pixels. */
async function decompressionBomb(): Promise<Buffer> {
  const bytes = Buffer.from(await picture(600, 480).png().toBuffer());
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}
