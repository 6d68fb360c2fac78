import { afterAll, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop } from "../../test/shop.ts";

const shop = await openTestShop();
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

const path = "/api/admin/saved-replies";
const readTitles = async () => (await owner.get(path)).body.data.map(({ title }: { title: string }) => title);

test("a reply is saved once, edited only from its latest revision, and deleted", async () => {
  const reply = { title: "Where is my parcel", text: "Hello {first name}" };
  const response = await owner.post(path, reply);
  expect([response.status, response.body.data]).toMatchObject([201, { ...reply, revision: 1 }]);
  expect((await owner.post(path, reply)).body.data.id, "a second click").toBe(response.body.data.id);
  await owner.post(path, { title: "a second", text: "Words" });
  expect(await readTitles()).toEqual(["a second", "Where is my parcel"]);

  const replyPath = `${path}/${response.body.data.id}`;
  const change = await send(owner, "PUT", replyPath, { ...reply, text: "Dear {first name}", revision: 1 });
  expect([change.status, change.body.data.revision]).toEqual([200, 2]);
  const outdated = await send(owner, "PUT", replyPath, { ...reply, text: "Hi", revision: 1 });
  expect([outdated.status, outdated.body.current.text]).toEqual([409, "Dear {first name}"]);
  const empty = await send(owner, "PUT", replyPath, { title: " ", text: "", revision: 2 });
  expect([empty.status, Object.keys(empty.body.fields)]).toEqual([422, ["title", "text"]]);

  expect((await send(owner, "DELETE", replyPath)).status).toBe(200);
  expect((await send(owner, "DELETE", replyPath)).status).toBe(404);
  expect((await send(owner, "PUT", replyPath, { ...reply, revision: 2 })).status).toBe(404);
  expect(await readTitles()).toEqual(["a second"]);
  expect((await shop.browser().get(path)).status).toBe(401);
});

test("a message shows which customer sent it, with the orders of all the customer's addresses", async () => {
  const at = (day: number) => ({
    createdAt: new Date(Date.UTC(2026, 0, day)),
    paidAt: new Date(Date.UTC(2026, 0, day)),
  });
  await insertPaidOrder(shop.database.db, {
    email: "Mira@example.org",
    customerName: "Mira Sato",
    number: 3001,
    ...at(1),
  });
  await insertPaidOrder(shop.database.db, {
    email: "mira@work.example",
    customerName: "Mira Sato",
    number: 3002,
    ...at(2),
  });
  const { data } = (await owner.get("/api/admin/customers?q=mira")).body;
  await owner.post(`/api/admin/customers/${data[0].id}/merge`, { otherId: data[1].id });
  const message = { name: "Mira", subject: "order", message: "Where is it?", elapsedMs: 60_000 };
  const fromCustomer = await shop.browser().post("/api/contact", { ...message, email: "mira@example.ORG" });
  const fromStranger = await shop.browser().post("/api/contact", { ...message, email: "else@example.org" });
  const readMessage = async (id: string) => (await owner.get(`/api/admin/messages/${id}`)).body.data;
  expect(await readMessage(fromCustomer.body.data.id)).toMatchObject({
    customer: { id: data[0].id, name: "Mira Sato", orders: 2, valueCents: 2 * 3590 },
    orders: [{ number: 3002 }, { number: 3001 }],
  });
  expect(await readMessage(fromStranger.body.data.id)).toMatchObject({ customer: null, orders: [] });
});
