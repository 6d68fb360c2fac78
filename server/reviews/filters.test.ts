import { afterAll, afterEach, describe, expect, test } from "vitest";
import { adminBrowser, send as sendAs } from "../../test/admin.ts";
import { holdReviews, postReview } from "../../test/reviews.ts";
import { openTestShop, type TestShop } from "../../test/shop.ts";
import { settings } from "../settings/tables.ts";
import { reviews } from "./tables.ts";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
afterAll(() => shop.stop());
afterEach(async () => {
  await shop.database.db.delete(reviews);
  await shop.database.db.delete(settings);
});

const readReviews = async (query: string) => (await shop.browser().get(`/api/reviews${query}`)).body;
const fetchIds = async (query: string) => (await readReviews(query)).data.map(({ id }: { id: number }) => id);
const writeReview = async (changes: object) => (await postReview(shop.browser(), changes)).body.data;

describe("the hair and skin types of reviewers", () => {
  test("are stored as chosen, and optional", async () => {
    const chosen = await writeReview({ hair: "curly", skin: "dry" });
    expect(chosen).toMatchObject({ hair: "curly", skin: "dry", photos: [], helpfulCount: 0 });
    expect(await writeReview({})).toMatchObject({ hair: null, skin: null });
  });

  test.each([{ hair: "blue" }, { skin: 1 }])("must be one of the listed values: %j", async (changes) => {
    const response = await postReview(shop.browser(), changes);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.fields)).toEqual(Object.keys(changes));
  });

  test("filter reviews, alone and with a rating", async () => {
    const curly = await writeReview({ hair: "curly", skin: "dry", rating: 5 });
    const other = await writeReview({ hair: "curly", rating: 3 });
    await writeReview({ hair: "wavy", skin: "dry", rating: 5 });
    expect(await fetchIds("?hair=curly")).toEqual([other.id, curly.id]);
    expect(await fetchIds("?hair=curly&rating=5")).toEqual([curly.id]);
    expect(await fetchIds("?skin=dry&hair=curly&sort=lowest")).toEqual([curly.id]);
    expect(await fetchIds("?photos=1")).toEqual([]);
    expect(await readReviews("?hair=curly&limit=1")).toMatchObject({ total: 2, summary: { count: 3 } });
    expect((await shop.browser().get("/api/reviews?hair=blue")).status).toBe(422);
  });

  test("are counted when reviews are added, edited, hidden and deleted", async () => {
    const browser = shop.browser();
    const { id } = (await postReview(browser, { hair: "curly" })).body.data;
    await writeReview({ hair: "curly", skin: "oily" });
    const readKinds = async () => (await readReviews("")).kinds;
    expect(await readKinds()).toEqual({
      hair: [{ key: "curly", count: 2 }],
      skin: [{ key: "oily", count: 1 }],
      photos: 0,
    });
    await postReview(browser, { hair: "coily", rating: 1 });
    expect((await readKinds()).hair).toEqual([
      { key: "curly", count: 1 },
      { key: "coily", count: 1 },
    ]);
    const admin = await adminBrowser(shop);
    await sendAs(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "hidden" });
    expect((await readKinds()).hair).toEqual([{ key: "curly", count: 1 }]);
    await sendAs(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "published" });
    expect((await readReviews("?rating=1&hair=coily")).total).toBe(1);
    await sendAs(admin, "DELETE", `/api/reviews/${id}`);
    expect((await readKinds()).hair).toEqual([{ key: "curly", count: 1 }]);
  });

  test("filter pages by links that need no JavaScript; older URLs redirect", async () => {
    const comment = "My curls have never been softer.";
    await writeReview({ hair: "curly", comment });
    await writeReview({ hair: "straight", comment: "It weighs fine hair down.", rating: 2 });
    const filtered = (await shop.browser().get("/product/pure-batana-oil?hair=curly")).body;
    expect(filtered).toContain(comment);
    expect(filtered).not.toContain("It weighs fine hair down.</p>");
    expect(filtered).toContain("1 review with curly hair");
    expect(filtered).toContain('href="/product/pure-batana-oil?rating=2&amp;hair=curly#reviews"');
    const oldUrlResponse = await shop.browser().fetch("/reviews?stars=2&sort=lowest", { redirect: "manual" });
    expect(oldUrlResponse.status).toBe(301);
    expect(oldUrlResponse.headers.get("location")).toBe("/reviews?sort=lowest&rating=2");
  });
});

describe("a review sent without JavaScript", () => {
  const form = { productId: "1", rating: "4", comment: "I rub it in at night.", hair: "wavy" };
  const send = (browser: ReturnType<TestShop["browser"]>) =>
    browser.fetch("/reviews/new", { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

  test("is listed once on the next page", async () => {
    const browser = shop.browser();
    const page = (await browser.get((await send(browser)).headers.get("location") ?? "")).body;
    const main = page.slice(page.indexOf("<main"), page.indexOf("</main"));
    expect(main.split(form.comment)).toHaveLength(2);
    expect(main).toContain("everybody can read it now");
  });

  test("is shown only to its writer while it waits for approval", async () => {
    await holdReviews(shop);
    const browser = shop.browser();
    const response = await send(browser);
    const url = response.headers.get("location") ?? "";
    const page = (await browser.get(url)).body;
    expect(page).toContain("waiting to be read by us");
    expect(page).toContain(form.comment);
    expect((await shop.browser().get(url)).body).not.toContain(form.comment);
    expect((await shop.browser().get("/reviews")).body).not.toContain(form.comment);
  });
});
