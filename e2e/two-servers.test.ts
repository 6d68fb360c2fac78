import { expect, onTestFinished, test } from "vitest";
import { soon } from "../test/patience.ts";
import { databaseUrlOf, startShop } from "../test/running-shop.ts";
import { setPrice, shareDatabase, withReviews } from "./shop-database.ts";
import { shopHere } from "./shop-here.ts";
import { at } from "./shopper.ts";

shareDatabase();

const path = "/product/pure-batana-oil";

test("what is changed through one server leaves the pages that another has kept", async () => {
  await withReviews(0);
  const other = await startShop({ DATABASE_URL: databaseUrlOf(shopHere().dataDir) });
  onTestFinished(() => other.stop());
  const read = async (origin: string, tag = "") => {
    const answer = await fetch(origin + path, { headers: { "If-None-Match": tag } });
    return { status: answer.status, tag: answer.headers.get("etag") ?? "", text: await answer.text() };
  };
  const origins = [at(""), other.url];
  // What was changed before is still being heard of: a page counts as kept once it stays the same.
  const kept = await Promise.all(
    origins.map(async (origin) => {
      let page = await read(origin);
      await expect
        .poll(async () => {
          const again = await read(origin, page.tag);
          if (again.status === 200) page = again;
          return again.status;
        })
        .toBe(304);
      return page;
    }),
  );

  const comment = "Written at one server, read at the other.";
  const written = await fetch(at("/api/reviews"), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": "10.77.77.77" },
    body: JSON.stringify({ productId: 1, rating: 5, comment, customerName: null }),
  });
  expect(written.status).toBe(201);
  await expect.poll(async () => (await read(other.url)).text, soon).toContain(comment);
  expect((await read(other.url, kept[1]?.tag)).status, "is another page now").toBe(200);

  await setPrice(3195);
  for (const origin of origins) {
    await expect.poll(async () => (await read(origin)).text, soon).toContain("$31.95");
  }
});
