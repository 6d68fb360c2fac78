import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../../test/admin.ts";
import { soon } from "../../../test/patience.ts";
import { insertReviews, postReview } from "../../../test/reviews.ts";
import { openTestShop, type TestBrowser } from "../../../test/shop.ts";
import { activity } from "../../admin/tables.ts";
import { pictureOriginals } from "../../catalog/tables.ts";
import { reviewPhotos, reviews } from "../tables.ts";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
const admin = await adminBrowser(shop);
const picture = await sharp({ create: { width: 600, height: 900, channels: 3, background: "#b5703a" } })
  .withExif({ IFD0: { Artist: "Somebody" }, IFD3: { GPSLatitude: "6/1 18/1 0/1" } })
  .jpeg()
  .toBuffer();
afterAll(() => shop.stop());
afterEach(async () => {
  await shop.database.db.delete(reviews);
  await shop.database.db.delete(reviewPhotos);
});

async function upload(browser: TestBrowser, bytes = picture) {
  const body = new FormData();
  body.set("photo", new File([new Uint8Array(bytes)], "me.jpg"));
  const response = await browser.fetch("/api/reviews/photos", { method: "POST", body });
  return { status: response.status, body: await response.json() };
}
const uploadPhoto = async (browser: TestBrowser): Promise<string> => (await upload(browser)).body.data.id;
const readPage = async (query = "") => (await shop.browser().get(`/api/reviews${query}`)).body;
const approve = (id: string, status = "shown") =>
  send(admin, "PATCH", `/api/admin/reviews/photos/${id}`, { status });
const originals = () => shop.database.db.select().from(pictureOriginals);

test("a photo is public once the owner has approved it; its writer and the owner see it before", async () => {
  const writer = shop.browser();
  const id = await uploadPhoto(writer);
  const postedReview = (await postReview(writer, { photos: [id] })).body.data;
  expect(postedReview).toMatchObject({
    status: "published",
    photos: [],
    sentPhotos: [{ id, status: "held", url: `/api/reviews/photos/${id}`, width: 600, height: 900 }],
  });
  expect((await readPage()).data[0].photos).toEqual([]);
  expect((await readPage("?photos=1")).data).toEqual([]);
  for (const [browser, status] of [
    [writer, 200],
    [admin, 200],
    [shop.browser(), 404],
  ] as const) {
    expect((await browser.fetch(`/api/reviews/photos/${id}`)).status).toBe(status);
  }
  const publicPath = `/images/${id}-480.${id.slice(2, 10)}.webp`;
  expect((await shop.browser().fetch(publicPath)).status).toBe(404);
  expect((await admin.get("/api/admin/reviews?photos=held")).body.data).toHaveLength(1);
  expect((await admin.get("/api/admin/counts")).body.data.heldPhotos).toBe(1);

  expect((await approve(id)).body.data).toMatchObject({ id, status: "shown" });
  const [review] = (await readPage("?photos=1")).data;
  expect(review.photos).toMatchObject([{ width: 600, height: 900, alt: "Photo 1 by Ada O." }]);
  expect((await readPage()).kinds.photos).toBe(1);
  const response = await shop.browser().fetch(publicPath);
  expect(response.status).toBe(200);
  expect(review.photos[0].srcset.webp).toContain(publicPath);
  const [entry] = await shop.database.db
    .select()
    .from(activity)
    .where(eq(activity.subject, `review:${postedReview.id}`));
  expect(entry?.summary).toBe("Approved a photo of a review");

  // The photos of a hidden review are no longer served.
  await send(admin, "PATCH", `/api/admin/reviews/${postedReview.id}`, { status: "hidden" });
  await expect.poll(async () => (await shop.browser().fetch(publicPath)).status, soon).toBe(404);
});

test("a photo that its writer requests many times at once is decoded once", async () => {
  const writer = shop.browser();
  const id = await uploadPhoto(writer);
  const responses = await Promise.all(
    Array.from({ length: 105 }, () => writer.fetch(`/api/reviews/photos/${id}`)),
  );
  // More than 100 decodings would not fit in the queue.
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
});

test("uploads are limited in fields, and in number at the same time", async () => {
  const form = new FormData();
  for (let n = 0; n < 1_000; n += 1) form.append(`field${n}`, "1");
  form.set("photo", new File([new Uint8Array(picture)], "me.jpg"));
  const init = { method: "POST", body: form };
  expect((await shop.browser("203.0.113.20").fetch("/api/reviews/photos", init)).status).toBe(400);

  const open: ReadableStreamDefaultController[] = [];
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  const pending: Promise<Response>[] = [];
  const sendSlowly = async (address: string, count: number) => {
    for (let n = 0; n < count; n += 1) {
      const body = new ReadableStream(
        { pull: (controller) => void open.push(controller) },
        { highWaterMark: 0 },
      );
      const slow = { method: "POST", body, headers, duplex: "half" } as RequestInit;
      pending.push(shop.browser(address).fetch("/api/reviews/photos", slow));
    }
    await expect.poll(() => open.length, soon).toBe(pending.length);
  };
  await sendSlowly("203.0.113.21", 3);
  // The form sends all four photos of a review together.
  expect((await upload(shop.browser("203.0.113.21"))).status).toBe(201);
  await sendSlowly("203.0.113.21", 1);
  // Slow senders of one network do not keep out others.
  expect((await upload(shop.browser("203.0.113.21"))).status).toBe(429);
  expect((await upload(shop.browser("203.0.113.22"))).status).toBe(201);
  await sendSlowly("203.0.113.23", 3);
  await sendSlowly("203.0.113.24", 1);
  expect((await upload(shop.browser("203.0.113.22"))).status).toBe(429);
  for (const body of open) body.close();
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual(Array(8).fill(400));
  expect((await upload(shop.browser())).status).toBe(201);
});

test("a photo's metadata is removed, and a file that is not a picture is refused", async () => {
  const browser = shop.browser();
  await uploadPhoto(browser);
  const [original] = await originals();
  const metadata = await sharp(original?.bytes).metadata();
  expect([metadata.width, metadata.height, metadata.exif]).toEqual([600, 900, undefined]);
  const refused = await upload(browser, Buffer.from("<svg/>"));
  expect(refused.status).toBe(422);
  expect(refused.body.fields.photo).toContain("not a JPEG");
});

describe("the photos of a review", () => {
  test("are stored in the posted order; unlisted ones are deleted", async () => {
    const writer = shop.browser();
    const first = await uploadPhoto(writer);
    const second = await uploadPhoto(writer);
    const photoIds = ({ sentPhotos }: { sentPhotos: { id: string }[] }) => sentPhotos.map(({ id }) => id);
    expect(photoIds((await postReview(writer, { photos: [first, second] })).body.data)).toEqual([
      first,
      second,
    ]);
    expect(photoIds((await postReview(writer, { photos: [second, first] })).body.data)).toEqual([
      second,
      first,
    ]);
    // A form without the field `photos` keeps them.
    expect(photoIds((await postReview(writer)).body.data)).toEqual([second, first]);
    expect(photoIds((await postReview(writer, { photos: [first] })).body.data)).toEqual([first]);
    expect((await originals()).map(({ file }) => file)).toEqual([`${first}.jpg`]);
    await shop.database.db.delete(reviews);
    expect(await originals()).toEqual([]);
  });

  test("cannot be another visitor's, deleted, or more than four", async () => {
    const id = await uploadPhoto(shop.browser());
    for (const photos of [[id], ["u-0000000000000000"], ["x"], Array(5).fill(id), [id, id]]) {
      const response = await postReview(shop.browser(), { photos });
      expect(response.status).toBe(422);
      expect(Object.keys(response.body.fields)[0]).toMatch(/^photos/);
    }
    expect((await readPage()).total).toBe(0);
  });

  test("can be deleted by their uploader before the review is posted", async () => {
    const writer = shop.browser();
    const id = await uploadPhoto(writer);
    expect((await send(shop.browser(), "DELETE", `/api/reviews/photos/${id}`)).status).toBe(404);
    expect((await send(writer, "DELETE", `/api/reviews/photos/${id}`)).status).toBe(200);
    expect(await originals()).toEqual([]);
  });

  test("can be deleted by the owner one by one", async () => {
    const writer = shop.browser();
    const photos = [await uploadPhoto(writer), await uploadPhoto(writer)];
    await postReview(writer, { photos });
    await approve(photos[1] ?? "");
    expect((await send(admin, "DELETE", `/api/admin/reviews/photos/${photos[1]}`)).status).toBe(200);
    expect((await readPage()).data[0].photos).toEqual([]);
    expect((await originals()).length).toBe(1);
    expect((await send(writer, "DELETE", `/api/admin/reviews/photos/${photos[0]}`)).status).toBe(401);
  });

  test("are limited in number per visitor until their review is posted", async () => {
    const browser = shop.browser();
    const { db } = shop.database;
    await uploadPhoto(browser);
    const [[photo], [original]] = [await db.select().from(reviewPhotos), await originals()];
    if (!photo || !original) throw new Error("the photo was not stored");
    // Inserted directly, because six more uploads would have to be decoded one by one.
    const files = Array.from({ length: 6 }, (_, n) => ({ file: `u-000000000000000${n}.jpg` }));
    await db.insert(pictureOriginals).values(files.map((file) => ({ ...original, ...file })));
    await db.insert(reviewPhotos).values(files.map((file) => ({ ...photo, ...file })));
    expect((await upload(browser)).status).toBe(201);
    expect((await upload(browser)).status).toBe(422);
  });
});

describe("a helpful vote", () => {
  const vote = (browser: TestBrowser, id: number | undefined, helpful = true) =>
    send(browser, "PUT", `/api/reviews/${id}/helpful`, { helpful });

  test("counts once per visitor, can be withdrawn, and sorts the list", async () => {
    const [first, second] = await insertReviews(shop, 5, 4);
    const browser = shop.browser();
    for (let n = 0; n < 2; n += 1) {
      expect((await vote(browser, first)).body.data).toEqual({ helpful: true, helpfulCount: 1 });
    }
    const other = shop.browser();
    expect((await vote(other, first)).body.data.helpfulCount).toBe(2);
    const readVotes = async () =>
      (await readPage("?sort=helpful")).data.map((review: { id: number; helpfulCount: number }) => [
        review.id,
        review.helpfulCount,
      ]);
    expect(await readVotes()).toEqual([
      [first, 2],
      [second, 0],
    ]);
    const { nextCursor } = await readPage("?sort=helpful&limit=1");
    expect((await readPage(`?sort=helpful&limit=1&cursor=${nextCursor}`)).data[0].id).toBe(second);
    for (const voter of [browser, other, other]) await vote(voter, first, false);
    expect(await readVotes()).toEqual([
      [second, 0],
      [first, 0],
    ]);
  });

  test("is refused for hidden reviews and the visitor's own", async () => {
    const writer = shop.browser();
    const { id } = (await postReview(writer)).body.data;
    expect((await vote(writer, id)).body.error).toBe("invalid_state");
    await send(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "hidden" });
    expect((await vote(shop.browser(), id)).status).toBe(404);
    expect((await vote(shop.browser(), 999_999)).status).toBe(404);
  });
});
