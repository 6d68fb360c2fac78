import { afterAll, afterEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { soon } from "../../test/patience.ts";
import { openTestShop } from "../../test/shop.ts";
import { questions } from "./tables.ts";

const email = "ada@example.com";
const question = "Does it smell of coffee?";
const answer = "A little, of roasted nuts & coffee.\n\nIt fades within the hour.";

const shop = await openTestShop({ PAYMENTS: "sandbox", OWNER_EMAIL: "owner@shop.example" });
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());
afterEach(async () => {
  await shop.database.db.delete(questions);
});

const askQuestion = (changes: object = {}, browser = shop.browser()) =>
  browser.post("/api/questions", { productId: 1, question, name: "Ada O.", email, ...changes });
const changeQuestion = (id: number, body: object, browser = admin) =>
  send(browser, "PATCH", `/api/admin/questions/${id}`, body);
const readQuestions = async () => (await shop.browser().get("/api/questions/product/1")).body.data;
const readProductPage = async () => (await shop.browser().get("/product/pure-batana-oil")).body;

test("the owner is notified of a question; the answer is published and e-mailed to the asker", async () => {
  const { status, body } = await askQuestion();
  expect(status).toBe(201);
  const { id } = body.data;
  await shop.jobsDone();
  expect(keptMail(shop, "owner@shop.example").join()).toContain(question);
  expect((await admin.get("/api/admin/counts")).body.data.openQuestions).toBe(1);
  expect((await admin.get("/api/admin/questions?status=open")).body.data).toMatchObject([
    { id, question, email, status: "open", answer: null, isSuspicious: false },
  ]);
  expect(await readQuestions()).toEqual([]);

  expect((await changeQuestion(id, { status: "published" })).body.error).toBe("invalid_state");
  expect((await changeQuestion(id, { answer, status: "published" })).body.data.status).toBe("published");
  await shop.jobsDone();
  const [mail = ""] = keptMail(shop, email);
  expect(mail).toContain("roasted nuts");
  expect(mail).toContain("/product/pure-batana-oil");
  const [published] = await readQuestions();
  expect(published).toMatchObject({ id, productId: 1, question, answer, name: "Ada O." });
  expect(published).not.toHaveProperty("email");
  await expect.poll(readProductPage, soon).toContain("It fades within the hour.");

  // An edited answer is published, but not e-mailed again.
  await changeQuestion(id, { answer: "Of coffee, for an hour." });
  await shop.jobsDone();
  expect(keptMail(shop, email)).toHaveLength(1);
  await expect.poll(readProductPage, soon).toContain("Of coffee, for an hour.");
  await changeQuestion(id, { status: "hidden" });
  expect(await readQuestions()).toEqual([]);
  await expect.poll(readProductPage, soon).not.toContain("Of coffee, for an hour.");
  expect((await send(admin, "DELETE", `/api/admin/questions/${id}`)).status).toBe(200);
  expect((await changeQuestion(id, { status: "open" })).status).toBe(404);
});

describe("asking a question", () => {
  test.each([
    [{ question: "Why?" }, "question"],
    [{ question: "a".repeat(501) }, "question"],
    [{ email: "ada" }, "email"],
    [{ name: "a".repeat(81) }, "name"],
  ])("refuses %j with a message at the field", async (changes, field) => {
    const response = await askQuestion(changes);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.fields)).toEqual([field]);
  });

  test("with the same text twice stores one question; name and e-mail address are optional", async () => {
    const browser = shop.browser();
    const first = await askQuestion({ name: " ", email: "" }, browser);
    expect((await askQuestion({}, browser)).body.data).toEqual(first.body.data);
    expect((await admin.get("/api/admin/questions")).body.data).toMatchObject([{ name: null, email: null }]);
  });

  test("with the honeypot filled in stores the question without an alert", async () => {
    await askQuestion({ website: "https://spam.example", question: "Would you like to buy links?" });
    await shop.jobsDone();
    expect(keptMail(shop, "owner@shop.example").join()).not.toContain("buy links");
    expect((await admin.get("/api/admin/counts")).body.data.openQuestions).toBe(0);
    expect((await admin.get("/api/admin/questions")).body.data).toMatchObject([{ isSuspicious: true }]);
  });

  test("needs a published product, and only the owner can answer", async () => {
    expect((await askQuestion({ productId: 999 })).status).toBe(404);
    const { id } = (await askQuestion()).body.data;
    expect((await changeQuestion(id, { answer }, shop.browser())).status).toBe(401);
  });

  test("works without JavaScript", async () => {
    const browser = shop.browser();
    const form = { productId: "1", question: "Short?", name: "", email: "" };
    const post = (body: object) =>
      browser.fetch("/questions/new?product=pure-batana-oil", {
        method: "POST",
        body: new URLSearchParams({ ...form, ...body }),
        redirect: "manual",
      });
    const refused = await post({});
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("Your question must have at least 10 characters");
    const questionAnswer = await post({ question });
    expect(questionAnswer.status).toBe(303);
    const { body } = await browser.get(questionAnswer.headers.get("location") ?? "");
    expect(body).toContain("Thank you for your question");
  });
});
