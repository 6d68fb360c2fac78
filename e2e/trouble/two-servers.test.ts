import { rmSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { soon } from "../../test/patience.ts";
import { type RunningShop, readDatabaseUrl, startShop } from "../../test/running-shop.ts";
import { setPrice, shareDatabase, withReviews } from "../shop-database.ts";
import { shopHere } from "../shop-here.ts";
import { at } from "../shopper.ts";

shareDatabase();

const productPath = "/product/pure-batana-oil";

/** A server on the same database that shares nothing else with the first. */
let otherServer: RunningShop;
beforeAll(async () => {
  otherServer = await startShop({ DATABASE_URL: readDatabaseUrl(shopHere().dataDir) });
});
afterAll(() => otherServer.stop());

test("a change through one server updates the pages cached by another", async () => {
  await withReviews(0);
  const readPage = async (origin: string, tag = "") => {
    const response = await fetch(origin + productPath, { headers: { "If-None-Match": tag } });
    return { status: response.status, tag: response.headers.get("etag") ?? "", text: await response.text() };
  };
  const origins = [at(""), otherServer.url];
  // Earlier changes may still be arriving, so a page counts as cached once it stays the same.
  const cachedBodies = await Promise.all(
    origins.map(async (origin) => {
      let page = await readPage(origin);
      await expect
        .poll(async () => {
          const again = await readPage(origin, page.tag);
          if (again.status === 200) page = again;
          return again.status;
        })
        .toBe(304);
      return page;
    }),
  );

  const comment = "Written at one server, read at the other.";
  const reviewResponse = await fetch(at("/api/reviews"), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": "10.77.77.77" },
    body: JSON.stringify({ productId: 1, rating: 5, comment, customerName: null }),
  });
  expect(reviewResponse.status).toBe(201);
  await expect.poll(async () => (await readPage(otherServer.url)).text, soon).toContain(comment);
  expect((await readPage(otherServer.url, cachedBodies[1]?.tag)).status, "the page has changed").toBe(200);

  await setPrice(3195);
  for (const origin of origins) {
    await expect.poll(async () => (await readPage(origin)).text, soon).toContain("$31.95");
  }
});

test("a picture uploaded to one server is shown by another that cannot read its disk", async () => {
  const imagesPath = "/api/admin/products/1/images";
  const signInResponse = await fetch(at("/api/admin/verify"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ accessCode: shopHere().accessCode }),
  });
  const Cookie = (signInResponse.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const picture = sharp({ create: { width: 600, height: 480, channels: 3, background: "#b5703a" } });
  const form = new FormData();
  form.set("image", new File([new Uint8Array(await picture.jpeg().toBuffer())], "bottle.jpg"));
  form.set("alt", "Two servers, one bottle");
  const uploadResponse = await fetch(at(imagesPath), { method: "POST", headers: { Cookie }, body: form });
  expect(uploadResponse.status).toBe(201);
  const { id, url } = (await uploadResponse.json()).data;
  const readPicture = async (origin: string) => {
    const response = await fetch(origin + url);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()).toString("base64") };
  };

  const [firstResponse, secondResponse] = await Promise.all([
    readPicture(at("")),
    readPicture(otherServer.url),
  ]);
  expect([firstResponse.status, secondResponse.status]).toEqual([200, 200]);
  expect(secondResponse.bytes).toBe(firstResponse.bytes);

  // All files on the other server's disk are deleted while it runs.
  rmSync(otherServer.dataDir, { recursive: true });
  expect(await readPicture(otherServer.url)).toEqual(firstResponse);
  const card = /\/share\/[\w.-]+\.jpg/.exec(await (await fetch(otherServer.url + productPath)).text())?.[0];
  expect((await fetch(`${otherServer.url}${card}`)).status).toBe(200);
  expect((await fetch(`${otherServer.url}/readyz`)).status).toBe(200);
  // The second server knows the session, and removes the picture for both.
  const removed = await fetch(`${otherServer.url}${imagesPath}/${id}`, {
    method: "DELETE",
    headers: { Cookie },
  });
  expect(removed.status).toBe(200);
});
