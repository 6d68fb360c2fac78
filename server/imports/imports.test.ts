import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import type { ImportCheck, ImportKind } from "../../domain/imports/import.ts";
import { adminBrowser } from "../../test/admin.ts";
import { checkoutBody, confirm, order } from "../../test/checkout.ts";
import { callInTurn, countLockWaits } from "../../test/database.ts";
import { openTestShop } from "../../test/shop.ts";
import { discounts } from "../discounts/tables.ts";
import { batches, stock } from "../inventory/tables.ts";
import { imports } from "./tables.ts";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

async function upload(path: string, file: string | Uint8Array, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([file as BlobPart], "list.csv"));
  const response = await owner.fetch(path, { method: "POST", body: form });
  return { status: response.status, body: await response.json() };
}
const check = (kind: ImportKind, file: string | Uint8Array) =>
  upload("/api/admin/imports/check", file, { kind });
const importFile = (kind: ImportKind, file: string, key: string, id: string = randomUUID()) =>
  upload("/api/admin/imports", file, { kind, key, id });
const undo = (id: string) => owner.post(`/api/admin/imports/${id}/undo`, {});

/** Makes a dry run of a file; returns its key and each row as "line state label: text". */
async function dryRun(kind: ImportKind, file: string | Uint8Array): Promise<{ key: string; rows: string[] }> {
  const { status, body } = await check(kind, file);
  expect([status, body.message]).toEqual([200, undefined]);
  const { key, rows } = body.data as ImportCheck;
  return { key, rows: rows.map(({ line, state, label, text }) => `${line} ${state} ${label}: ${text}`) };
}

/** Checks and imports a file; returns the import's id. */
async function checkAndImport(kind: ImportKind, file: string): Promise<string> {
  const { key } = await dryRun(kind, file);
  const { status, body } = await importFile(kind, file, key);
  expect([status, body.message]).toEqual([201, undefined]);
  return body.data.id;
}

const readCodes = () => shop.database.db.select().from(discounts).orderBy(discounts.id);
const readOnHand = async (productId: number) =>
  (await shop.database.db.select().from(stock).where(eq(stock.productId, productId)))[0]?.onHand;
const call = (method: string, path: string, body?: object) =>
  owner.fetch(path, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
/** Sells one unit. */
async function sell(email: string, changes: object = {}): Promise<void> {
  const before = (await readOnHand(1)) ?? 0;
  const buyer = shop.browser();
  await confirm(buyer, await order(buyer, { email, ...changes }));
  await expect.poll(() => readOnHand(1)).toBe(before - 1);
}
/** Summaries of the latest actions, newest first. */
const readActivity = async (limit: number) =>
  (await owner.get(`/api/admin/activity?limit=${limit}`)).body.data.map(
    ({ summary }: { summary: string }) => summary,
  );

describe("discount codes", () => {
  const file = [
    "Code,Type,Value,Minimum,Ends,On,First order only",
    "SPRING15,percent,15%,$40.00,2030-12-31,yes",
    "POST,free shipping,,,,,yes",
    "TAKE5,amount,5.00,,,no",
    "spring15,percent,20,,,",
    "BAD CODE,percent,20,,,",
    "HALF,percent,12.5,,,",
    "LATE,percent,10,,tomorrow,",
  ].join("\r\n");

  test("are checked row by row without changing anything, then imported as shown, once", async () => {
    const before = await readCodes();
    const { key, rows } = await dryRun("discounts", file);
    expect(rows).toEqual([
      "2 new SPRING15: 15% off orders of $40 or more, until Dec 31, 2030.",
      "3 new POST: Free shipping on your first order.",
      "4 new TAKE5: $5 off any order. Switched off.",
      "5 refused spring15: This code is in line 2 already.",
      "6 refused BAD CODE: Code: 3 to 40 letters, digits, hyphens or underscores, without spaces.",
      "7 refused HALF: Value: “12.5” is not a whole percentage.",
      "8 refused LATE: Ends: “tomorrow” is not a date like 2026-12-31.",
    ]);
    expect(await readCodes()).toEqual(before);

    const id = randomUUID();
    const responses = await Promise.all([
      importFile("discounts", file, key, id),
      importFile("discounts", file, key, id),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(responses[0]?.body.data).toEqual(responses[1]?.body.data);
    expect(responses[0]?.body.data.counts).toEqual({ new: 3, changed: 0, same: 0, refused: 4 });
    expect((await readActivity(2)).sort()).toEqual([
      "Import of discount codes requested again, but not done twice",
      "Import of discount codes: 3 new, 4 refused",
    ]);
    expect((await readCodes()).length).toBe(before.length + 3);

    // Importing the same file again changes nothing, be it with the old check or a new one.
    expect((await importFile("discounts", file, key)).status).toBe(409);
    const checkAgain = await dryRun("discounts", file);
    expect(checkAgain.rows.slice(0, 3).map((row) => row.split(" ")[1])).toEqual(["same", "same", "same"]);
    expect((await importFile("discounts", file, checkAgain.key)).status).toBe(422);

    expect((await undo(id)).body.data.undone).toEqual({ rows: 3, kept: [] });
    expect((await undo(id)).body.data.undone).toEqual({ rows: 3, kept: [] });
    expect(await readCodes()).toEqual(before);
    expect(await readActivity(2)).toEqual([
      "Undo of an import of discount codes requested again, but not done twice",
      "Import of discount codes undone: 3 taken back, 0 kept",
    ]);
  });

  test("from Shopify's export are imported with their remaining uses, or refused if they need a feature that codes here lack", async () => {
    const shopifyFile = [
      "Name,Value,Value Type,Type,Discount Class,Minimum Purchase Requirements,Combines with Order Discounts,Combines with Product Discounts,Combines with Shipping Discounts,Customer Selection,Context,Times Used In Total,Applies Once Per Customer,Usage Limit Per Code,Status,Start,End",
      "SHOP15,-15.0,percentage,Amount Off,order,40.00,,,,all,,6,0,100,Active,2025-12-08 11:28:18 -0600,2030-12-31 23:59:59 -0600",
      "SHOP5,-5.00,fixed_amount,Amount Off,order,,,,,all,,3,1,,Expired,2025-12-08 11:28:18 -0600,",
      "SHOPPOST,-100.0,percentage,Free Shipping,shipping,,,,,all,,0,0,,Active,,",
      "SHOPUSED,-5.0,percentage,Amount Off,order,,,,,all,,9,0,9,Active,,",
      "SHOPITEM,-5.0,percentage,Amount Off,product,,,,,all,,0,0,,Active,,",
      "SHOPBXGY,-100.0,percentage,Buy X Get Y,order,,,,,all,,0,0,,Active,,",
      "SHOPVIP,-5.0,percentage,Amount Off,order,,,,,VIP customers,,0,0,,Active,,",
      "SHOPTWO,-5.0,percentage,Amount Off,order,2 items,,,,all,,0,0,,Active,,",
    ].join("\n");
    const { body } = await check("discounts", shopifyFile);
    expect(body.data).toMatchObject({
      format: "Shopify’s discount export",
      notes: [expect.any(String), expect.any(String)],
    });
    expect((await dryRun("discounts", shopifyFile)).rows).toEqual([
      "2 new SHOP15: 15% off orders of $40 or more, from Dec 8, 2025 until Jan 1, 2031. 94 uses in all.",
      "3 new SHOP5: $5 off any order, from Dec 8, 2025. Once per customer. Switched off.",
      "4 new SHOPPOST: Free shipping on any order.",
      "5 refused SHOPUSED: It is used up there.",
      "6 refused SHOPITEM: It is for certain products, which the file does not name.",
      "7 refused SHOPBXGY: Codes here cannot do “Buy X Get Y”.",
      "8 refused SHOPVIP: It is for “VIP customers” only, which codes here cannot limit.",
      "9 refused SHOPTWO: Minimum: “2 items” is not an amount like 29.95.",
    ]);
  });

  test("from a coupon export of WooCommerce are imported, or refused for conditions that codes here do not support", async () => {
    const coupons = [
      "ID,post_title,post_excerpt,post_status,post_date,discount_type,coupon_amount,individual_use,product_ids,exclude_product_ids,usage_count,usage_limit,usage_limit_per_user,limit_usage_to_x_items,date_expires,free_shipping,exclude_sale_items,product_categories,exclude_product_categories,minimum_amount,maximum_amount,customer_email",
      "1,WOO15,,publish,2024-01-02,percent,15,no,,,6,100,1,,2031-01-01,no,no,,,40.00,,",
      "2,WOO5,,draft,2024-01-02,fixed_cart,5.00,no,,,0,0,0,,,no,no,,,,,",
      "3,WOOPOST,,publish,2024-01-02,fixed_cart,0,no,,,0,,,,,yes,no,,,,,",
      "4,WOOBOTH,,publish,2024-01-02,percent,10,no,,,0,,,,,yes,no,,,,,",
      "5,WOOITEM,,publish,2024-01-02,fixed_product,2,no,,,0,,,,,no,no,,,,,",
      "6,WOOSOME,,publish,2024-01-02,percent,10,no,12|14,,0,,,,,no,no,,,,,",
      "7,WOOSALE,,publish,2024-01-02,percent,10,no,,,0,,,,,no,yes,,,,,",
      "8,WOOZERO,,publish,2024-01-02,percent,0,no,,,0,,,,,no,no,,,,,",
      "9,WOOODD,,publish,2024-01-02,constructor,5,no,,,x,many,,,,no,no,,,,,",
    ].join("\n");
    expect((await check("discounts", coupons)).body.data.format).toBe("A coupon export of WooCommerce");
    expect((await dryRun("discounts", coupons)).rows).toEqual([
      "2 new WOO15: 15% off orders of $40 or more, until Dec 31, 2030. Once per customer. 94 uses in all.",
      "3 new WOO5: $5 off any order. Switched off.",
      "4 new WOOPOST: Free shipping on any order.",
      "5 refused WOOBOTH: It takes off an amount and the shipping. Codes here do one of them.",
      "6 refused WOOITEM: Codes here cannot do “fixed_product”.",
      "7 refused WOOSOME: It has a condition that this shop’s codes cannot have: product_ids.",
      "8 refused WOOSALE: It has a condition that this shop’s codes cannot have: exclude_sale_items.",
      "9 refused WOOZERO: It takes nothing off.",
      "10 refused WOOODD: Codes here cannot do “constructor”.",
    ]);
  });

  test("that exist already are changed only in the file's columns, and an undo restores them", async () => {
    await checkAndImport("discounts", "Code;Type;Value;Uses\nMORE;amount;5,00;10\n");
    const before = await readCodes();
    const codeId = before.find(({ code }) => code === "MORE")?.id;
    await call("PATCH", `/api/admin/discounts/${codeId}`, { active: false });
    // An empty cell does not switch the code on.
    const file = "Code;Type;Value;On\nMORE;amount;7,50;\n";
    const { key, rows } = await dryRun("discounts", file);
    expect(rows).toEqual(["2 changed MORE: $7.50 off any order. 10 uses in all. Switched off."]);
    const { body } = await importFile("discounts", file, key);
    expect((await undo(body.data.id)).body.data.undone).toEqual({ rows: 1, kept: [] });
    await call("PATCH", `/api/admin/discounts/${codeId}`, { active: true });
    expect((await readCodes()).map(({ updatedAt: _, ...code }) => code)).toEqual(
      before.map(({ updatedAt: _, ...code }) => code),
    );
  });

  test("are not undone if an order used them or they were changed or deleted since the import", async () => {
    const id = await checkAndImport(
      "discounts",
      "Code,Type,Value\nUSED1,amount,4.95\nEDITED1,percent,5\nFIRST1,percent,5\nALONE1,percent,5\nGONE1,percent,5\nFREE1,percent,5\n",
    );
    await sell("codes@example.com", { discountCode: "USED1", amount: 3095 });
    const findCodeId = async (code: string) =>
      (await readCodes()).find((discount) => discount.code === code)?.id;
    await call("PATCH", `/api/admin/discounts/${await findCodeId("EDITED1")}`, { value: 6 });
    await call("PATCH", `/api/admin/discounts/${await findCodeId("FIRST1")}`, { firstOrderOnly: true });
    await call("PATCH", `/api/admin/discounts/${await findCodeId("ALONE1")}`, {
      automatic: true,
      active: false,
    });
    await call("DELETE", `/api/admin/discounts/${await findCodeId("GONE1")}`);
    const { undone } = (await undo(id)).body.data;
    expect(undone.rows).toBe(1);
    expect(
      undone.kept.map(({ label, reason }: { label: string; reason: string }) => `${label}: ${reason}`),
    ).toEqual([
      "USED1: Orders were placed with it since.",
      "EDITED1: It was changed since.",
      "FIRST1: It was changed since.",
      "ALONE1: It was changed since.",
      "GONE1: It was deleted since.",
    ]);
    expect(await findCodeId("FREE1")).toBeUndefined();
  });

  test("are not imported if shop or file changed since the check", async () => {
    const file = "Code,Type,Value\nNOW1,percent,5\n";
    const { key } = await dryRun("discounts", file);
    expect((await importFile("discounts", file.replace("5", "50"), key)).body).toMatchObject({
      error: "invalid_state",
      message: "The file or the shop has changed since it was checked. Nothing was imported.",
    });
    await owner.post("/api/admin/discounts", { code: "NOW1", kind: "percent", value: 7 });
    expect((await importFile("discounts", file, key)).status).toBe(409);
    expect((await readCodes()).find(({ code }) => code === "NOW1")?.value).toBe(7);
  });

  test("can be undone for an hour, after which the record of the import is deleted", async () => {
    const id = await checkAndImport("discounts", "Code,Type,Value\nHOUR1,percent,5\n");
    expect((await owner.get("/api/admin/imports")).body.data[0]).toMatchObject({ id, undone: null });
    await shop.database.db
      .update(imports)
      .set({ at: new Date(Date.now() - 60 * 60_000) })
      .where(eq(imports.id, id));
    expect((await undo(id)).status).toBe(404);
    expect(
      (await owner.get("/api/admin/imports")).body.data.map((each: { id: string }) => each.id),
    ).not.toContain(id);
    const purgeJob = shop.cron.find(({ task }) => task.job.name === "forget_imports");
    await purgeJob?.task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
    expect(await shop.database.db.select().from(imports).where(eq(imports.id, id))).toEqual([]);
  });
});

describe("stock counts", () => {
  test("set the number of units on the shelf, less those sold since the check", async () => {
    const file = "Product,Count\nPure Batana Oil,500\nUnknown Oil,3\nPure Batana Oil,7\nPure Batana Oil,-1\n";
    const start = await readOnHand(1);
    const { key, rows } = await dryRun("stock", file);
    expect(rows).toEqual([
      "2 changed Pure Batana Oil: 500 units",
      "3 refused Unknown Oil: There is no product with this SKU, or with this name and size.",
      "4 refused Pure Batana Oil: This product is in line 2 already.",
      "5 refused Pure Batana Oil: This product is in line 2 already.",
    ]);
    expect(await readOnHand(1)).toBe(start);
    await sell("sold@example.com");
    const { body } = await importFile("stock", file, key);
    expect(await readOnHand(1)).toBe(499);
    await sell("sold2@example.com");
    expect((await undo(body.data.id)).body.data.undone).toEqual({ rows: 1, kept: [] });
    expect(await readOnHand(1)).toBe((start ?? 0) - 2);
  });

  test("do not count units that are being sold during the import", async () => {
    const file = "Product,Count\nPure Batana Oil,300\n";
    const { key } = await dryRun("stock", file);
    const buyer = shop.browser();
    const started = await order(buyer, { email: "selling@example.com" });
    const lockStock = sql`select from stock where product_id = 1 for update`;
    const pay = () => confirm(buyer, started);
    const [, { status }] = await callInTurn(shop.database, lockStock, pay, () =>
      importFile("stock", file, key),
    );
    expect(status).toBe(201);
    expect(await readOnHand(1)).toBe(299);
  });

  test("do not block buyers: a dry run locks no stock, and an import locks it only after reading all rows", async () => {
    const file = "Product,Count\nPure Batana Oil,250\n";
    const { db } = shop.database;
    const { key } = await db.transaction(async (tx) => {
      await tx.execute(sql`select from stock where product_id = 1 for update`);
      return dryRun("stock", file);
    });
    const imported = await shop.withoutJobs(() =>
      db.transaction(async (tx) => {
        await tx.execute(sql`lock table stock_movements in access exclusive mode`);
        const response = importFile("stock", file, key);
        await expect.poll(() => countLockWaits(shop.database)).toBe(1);
        await tx.execute(sql`select from stock where product_id = 1 for update nowait`);
        return { response };
      }),
    );
    expect((await imported.response).status).toBe(201);
    expect(await readOnHand(1)).toBe(250);
  });

  test("are not imported if the stock changes between reading the rows and writing them", async () => {
    const file = "Product,Count\nPure Batana Oil,260\n";
    const { key } = await dryRun("stock", file);
    const lock = sql`select from stock where product_id = 1 for update`;
    const count = () =>
      owner.post("/api/admin/products/1/stock", {
        id: randomUUID(),
        change: 7,
        reason: "received",
        note: null,
      });
    const [, { status, body }] = await callInTurn(shop.database, lock, count, () =>
      importFile("stock", file, key),
    );
    expect([status, body.error]).toEqual([409, "invalid_state"]);
    expect(await readOnHand(1)).toBe(257);
  });

  test("remove missing units first from those without a batch, then from the oldest batches, and the undo returns them", async () => {
    const receive = (code: string, bestBefore: string, quantity: number) =>
      owner.post("/api/admin/products/1/batches", { code, bestBefore, quantity });
    expect((await receive("LATE", "2031-01-01", 10)).status).toBe(201);
    expect((await receive("EARLY", "2030-01-01", 10)).status).toBe(201);
    const readBatches = async () =>
      (await shop.database.db.select().from(batches).orderBy(batches.code)).map(
        ({ remaining, received }) => `${remaining} of ${received}`,
      );
    const start = await readOnHand(1);
    const id = await checkAndImport("stock", "Product,Count\nPure Batana Oil,8\n");
    expect([await readOnHand(1), ...(await readBatches())]).toEqual([8, "0 of 10", "8 of 10"]);
    expect((await undo(id)).body.data.undone).toEqual({ rows: 1, kept: [] });
    expect([await readOnHand(1), ...(await readBatches())]).toEqual([start, "10 of 10", "10 of 10"]);
  });

  test("from Shopify’s inventory export are matched by SKU, and are not undone if the stock has changed since", async () => {
    await call("PATCH", "/api/admin/products/1", { sku: "PBO-60" });
    const file = [
      "Handle,Title,Option1 Name,Option1 Value,SKU,HS Code,COO,Location,Bin name,Incoming (not editable),Unavailable (not editable),Committed (not editable),Available (not editable),On hand (current),On hand (new)",
      "oil,Batana,Size,60 ml,pbo-60,,,Main,,0,0,0,40,42,",
      "oil,Batana,Size,60 ml,pbo-60,,,Cellar,,0,0,0,not stocked,not stocked,",
    ].join("\n");
    const { body } = await check("stock", file);
    expect(body.data.format).toBe("Shopify’s inventory export");
    expect(body.data.rows.map(({ text }: { text: string }) => text)).toEqual([
      "42 units",
      "This product is in line 2 already.",
    ]);
    const id = await checkAndImport("stock", file);
    await owner.post("/api/admin/products/1/stock", {
      id: randomUUID(),
      change: 5,
      reason: "received",
      note: null,
    });
    expect((await undo(id)).body.data.undone.kept).toEqual([
      { line: 2, label: "Pure Batana Oil", reason: "Its stock was changed since." },
    ]);
    expect(await readOnHand(1)).toBe(47);
  });
});

describe("products", () => {
  const shopifyHeader =
    "Handle,Title,Body (HTML),Vendor,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Status,Cost per item";
  const shopify = [
    shopifyHeader,
    'balm,Palm Balm,"<p>Melts <b>slowly</b>.</p><ul><li>Palm &amp; wax</li></ul>",Palmira,TRUE,Size,30 ml,BALM-30,45,12,14.00,18.00,,https://cdn.example/1.jpg,active,3.50',
    "balm,,,,,,60 ml,BALM-60,80,5,24.00,,,,,",
    "balm,,,,,,,,,,,,,https://cdn.example/2.jpg,,",
    "comb,Wooden Comb,,Palmira,TRUE,Title,Default Title,COMB,30,40,9.5,,,,draft,",
    "cap,Cap,,Palmira,TRUE,Title,Default Title,CAP,30,40,9.5,,12345,,active,",
  ].join("\n");
  const readProducts = async () => (await owner.get("/api/admin/products")).body.data;
  const findProduct = async (name: string) =>
    (await readProducts()).find((each: { name: string }) => each.name === name);

  test("from Shopify’s export are imported with sizes, texts and stock, and removed by the undo", async () => {
    const before = await readProducts();
    const { body } = await check("products", shopify);
    expect(body.data).toMatchObject({
      format: "Shopify’s product export",
      notes: ["Pictures are not fetched from other addresses. Add them to the products by hand."],
    });
    const { key, rows } = await dryRun("products", shopify);
    expect(rows).toEqual([
      "2 new Palm Balm, 30 ml: $14.00, 12 units, published.",
      "3 new Palm Balm, 60 ml: A new size, beside 30 ml: $24.00, 5 units, published.",
      "5 new Wooden Comb: $9.50, 40 units, hidden.",
      "6 refused Cap: Bar code: The 8, 12, 13 or 14 digits below the bar code; one of these does not fit the others.",
    ]);
    expect(await readProducts()).toEqual(before);
    const { body: imported } = await importFile("products", shopify, key);
    expect(await findProduct("Palm Balm, 30 ml")).toMatchObject({
      description: "Melts slowly.\nPalm & wax",
      price: 1400,
      compareAtPrice: 1800,
      cost: 350,
      sku: "BALM-30",
      weightGrams: 45,
      stock: 12,
      published: true,
      family: { name: "Palm Balm", sizes: [{ size: "30 ml" }, { size: "60 ml" }] },
    });
    expect(await findProduct("Wooden Comb")).toMatchObject({ published: false, stock: 40, size: "" });
    expect((await dryRun("products", shopify)).rows.map((row) => row.split(" ")[1])).toEqual([
      "same",
      "same",
      "same",
      "refused",
    ]);
    expect((await undo(imported.data.id)).body.data.undone).toEqual({ rows: 3, kept: [] });
    expect(await readProducts()).toEqual(before);
  });

  test("are not undone if they were ordered, counted or edited since the import", async () => {
    const id = await checkAndImport("products", shopify);
    const [ordered, counted, edited] = await Promise.all(
      ["Palm Balm, 30 ml", "Palm Balm, 60 ml", "Wooden Comb"].map(findProduct),
    );
    const buyer = shop.browser();
    const items = { orderItems: [{ productId: ordered.id, quantity: 1, price: 1400 }] };
    const checkout = { ...checkoutBody({ price: 1400 }), ...items };
    expect((await buyer.post("/api/stripe/create-payment-intent", checkout)).status).toBe(201);
    const received = { id: randomUUID(), change: 5, reason: "received", note: null };
    await owner.post(`/api/admin/products/${counted.id}/stock`, received);
    await call("PATCH", `/api/admin/products/${edited.id}`, { shortDescription: "Of olive wood." });
    const { undone } = (await undo(id)).body.data;
    expect(undone.rows).toBe(0);
    expect(undone.kept.map(({ reason }: { reason: string }) => reason)).toEqual([
      "Palm Balm, 30 ml has 1 order, so it is kept. Archive it instead.",
      "Its stock was changed since.",
      "It was changed since.",
    ]);
    expect(await findProduct("Palm Balm, 30 ml")).toMatchObject({ published: true });
  });

  test("are not undone if bundles were added since the import", async () => {
    const id = await checkAndImport("products", "Name,Price\nPalm Wax,14\n");
    const { id: productId } = await findProduct("Palm Wax");
    const bundleResponse = await call("PUT", `/api/admin/products/${productId}/bundles/2`, { price: 2500 });
    expect(bundleResponse.status).toBe(200);
    const { undone } = (await undo(id)).body.data;
    expect(undone.kept).toMatchObject([{ reason: "Bundles were added since." }]);
    expect(await findProduct("Palm Wax")).toMatchObject({ price: 1400 });
  });

  test("are not undone if they are being edited during the undo", async () => {
    await checkAndImport("products", "Name,Price\nPalm Candle,14\n");
    const id = await checkAndImport("products", "Name,Price\nPalm Candle,15\n");
    const { id: productId } = await findProduct("Palm Candle");
    const lock = sql`select from products where id = ${productId} for update`;
    const edit = () => call("PUT", `/api/products/${productId}/price`, { price: 1600 });
    const [edited, undone] = await callInTurn(shop.database, lock, edit, () => undo(id));
    expect(edited.status).toBe(200);
    expect(undone.body.data.undone.kept).toMatchObject([{ reason: "It was changed since." }]);
    expect(await findProduct("Palm Candle")).toMatchObject({ price: 1600 });
  });

  test("that exist already get the file's price and texts but keep their stock, and an undo restores them", async () => {
    const before = await findProduct("Wooden Comb");
    const file = "Name,Price,SKU,Stock,Description\nWooden Comb,11,COMB,3,Fine teeth.\n";
    const { body } = await check("products", file);
    expect(body.data.rows).toMatchObject([
      {
        state: "changed",
        before: "Description: none. Price: $9.50.",
        text: "Description: Fine teeth. Price: $11.00.",
      },
    ]);
    const id = await checkAndImport("products", file);
    expect(await findProduct("Wooden Comb")).toMatchObject({
      price: 1100,
      description: "Fine teeth.",
      stock: 40,
    });
    await undo(id);
    expect(await findProduct("Wooden Comb")).toMatchObject({
      price: before.price,
      description: before.description,
    });
  });

  test("from WooCommerce’s export: variations become sizes, and products that are not shipped are refused", async () => {
    const file = [
      "ID,Type,SKU,Name,Published,Short description,Description,Stock,Weight (kg),Sale price,Regular price,Images,Parent,Attribute 1 name,Attribute 1 value(s)",
      '7,variable,SOAP,Palm Soap,1,"<p>Mild.</p>",Long,,,,,https://cdn.example/s.jpg,,Size,"50 g, 90 g"',
      "8,variation,SOAP-50,Palm Soap - 50 g,1,,,4,0.05,5,6.00,,SOAP,Size,50 g",
      "9,variation,SOAP-90,Palm Soap - 90 g,0,,,,0.09,,9.00,,id:7,Size,90 g",
      "10,external,,Somebody’s Oil,1,,,,,,5,,,,",
      "11,variation,,Lost,1,,,,,,5,,GONE,Size,1 l",
    ].join("\r\n");
    const { body } = await check("products", file);
    expect(body.data.notes).toHaveLength(2);
    expect((await dryRun("products", file)).rows).toEqual([
      "3 new Palm Soap, 50 g: $6.00, 4 units, published.",
      "4 new Palm Soap, 90 g: A new size, beside 50 g: $9.00, 0 units, hidden.",
      "5 refused Somebody’s Oil: A product of the type “external” is nothing to ship.",
      "6 refused Lost: Its parent does not stand above it.",
    ]);
    const id = await checkAndImport("products", file);
    expect(await findProduct("Palm Soap, 50 g")).toMatchObject({
      weightGrams: 50,
      shortDescription: "Mild.",
    });
    expect((await undo(id)).body.data.undone.rows).toBe(2);
  });
});

describe("a file", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["without rows", "Code,Type\n", "The file has no rows below its head."],
    [
      "with other columns",
      "Name,Cost\nOil,5\n",
      "The file needs the columns “Code” and “Type” in its first line.",
    ],
    [
      "of another kind",
      "Product,Count\nOil,5\n",
      "The file needs the columns “Code” and “Type” in its first line. It looks like a file of stock counts.",
    ],
    [
      "with a column name of over 200 characters",
      `Code,Type,${"A".repeat(201)}\nA,percent,1\n`,
      "A cell in line 1 is too long.",
    ],
    ["with an open quotation mark", 'Code,Type\n"A,percent\n', "A quotation mark in line 2 is never closed."],
    [
      "that is a workbook",
      Uint8Array.of(0x50, 0x4b, 3, 4, 0),
      "This is a spreadsheet, not a CSV file. Save it as CSV (UTF-8) and choose that file.",
    ],
    [
      "that is not text",
      Uint8Array.of(0x43, 0, 0xff, 1),
      "This is not a text file. Save it as CSV (UTF-8) and choose that file.",
    ],
    [
      "with too many rows",
      `Code,Type\n${"A,percent\n".repeat(2001)}`,
      "The file has more than 2,000 rows. Import it in parts.",
    ],
  ])("%s is refused with the reason", async (_, file, message) => {
    expect(await check("discounts", file)).toMatchObject({ status: 422, body: { message } });
  });

  test("is read with any line endings, separators, quotes and encoding marks", async () => {
    const utf16 = new Uint8Array(Buffer.from("\uFEFFCode\tType\tValue\nWIDE1\tpercent\t5\n", "utf16le"));
    expect((await dryRun("discounts", utf16)).rows).toEqual(["2 new WIDE1: 5% off any order."]);
    const quotedFile =
      '\uFEFFsep=;\r\n"Code";"Type";"Note";"Value"\r"QUOTED1";"percent";"a ""b""; c\nd";"5"\r\n\r\nNEXT1;percent;;6';
    expect((await dryRun("discounts", quotedFile)).rows).toEqual([
      "3 new QUOTED1: 5% off any order.",
      "6 new NEXT1: 6% off any order.",
    ]);
    const latin = new Uint8Array(Buffer.from("Code,Type,Value\nCAF\xC9,percent,5\n", "latin1"));
    const { body } = await check("discounts", latin);
    expect(body.data.rows[0].label).toBe("CAFÉ");
    expect(body.data.notes[0]).toContain("It was read as Windows-1252");
  });
});
