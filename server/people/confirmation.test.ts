import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { SoftPasskey } from "../../test/passkey.ts";
import { type ApiResponse, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import type { AnyApiRow } from "../api-row.ts";
import { checkInput, passGate } from "../http/gate.ts";
import { messages } from "../outbox/tables.ts";
import { people } from "./tables.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Calls that always require a confirmation. */
const alwaysConfirmed = [
  "POST /api/admin/account",
  "POST /api/admin/account/passkeys/question",
  "POST /api/admin/account/passkeys",
  "DELETE /api/admin/account/passkeys/:id",
  "POST /api/admin/people",
  "POST /api/admin/people/:id/invitation",
  "DELETE /api/admin/people/:id/invitation",
  "POST /api/admin/api-keys",
  "DELETE /api/admin/api-keys/:id",
  "POST /api/admin/webhooks",
  "PATCH /api/admin/webhooks/:id",
  "DELETE /api/admin/webhooks/:id",
  "PUT /api/admin/connections/stripe",
  "POST /api/admin/connections/stripe/webhook",
  "PUT /api/admin/connections/mail",
  "PUT /api/admin/connections/mail/reports",
  "PUT /api/admin/connections/twilio",
  "PUT /api/admin/connections/easypost",
  "PUT /api/admin/connections/shippo",
  "DELETE /api/admin/connections/:name",
  "PUT /api/admin/connections/access-code",
  "GET /api/admin/backups/:id/file",
  "PUT /api/admin/off-site",
  "DELETE /api/admin/off-site",
  "POST /api/admin/off-site/passphrase",
  "PUT /api/admin/off-site/passphrase",
  "GET /api/admin/customers/:id/data",
  "POST /api/admin/customers/:id/erase",
];
/** Calls that require a confirmation for some bodies: tested one by one below, and for disputes in evidence.test.ts. */
const sometimesConfirmed = [
  "PATCH /api/admin/people/:id",
  "PATCH /api/admin/settings",
  "POST /api/admin/disputes/:id/send",
];
/** Calls that require a confirmation above the owner's limit: tested in confirmation-limit.test.ts and exchanges.test.ts. */
const confirmedAboveLimit = [
  "POST /api/admin/orders/:id/refund",
  "POST /api/admin/orders/:id/cancel",
  "POST /api/admin/orders/:id/items",
  "POST /api/admin/orders/:id/replacement",
  "POST /api/admin/orders/:id/exchange",
  "POST /api/admin/drafts",
  "PATCH /api/admin/drafts/:id",
  "POST /api/admin/drafts/:id/duplicate",
  "POST /api/admin/disputes/:id/accept",
];
/** Why the other calls of the activity log require no confirmation. */
const neverConfirmed: Record<string, string[]> = {
  "changes products, prices or discounts, which apply to everybody and are public": [
    "PUT /api/products/:id/price",
    "POST /api/admin/products",
    "PATCH /api/admin/products/:id",
    "PUT /api/admin/products/:id/bundles/:quantity",
    "DELETE /api/admin/products/:id/bundles/:quantity",
    "POST /api/admin/products/:id/images",
    "PATCH /api/admin/products/:id/images/:imageId",
    "DELETE /api/admin/products/:id/images/:imageId",
    "POST /api/admin/founder-picture",
    "DELETE /api/admin/founder-picture",
    "POST /api/admin/products/:id/duplicate",
    "PUT /api/admin/products/:id/archived",
    "DELETE /api/admin/products/:id",
    "POST /api/admin/products/:id/sizes",
    "PUT /api/admin/products/:id/sizes",
    "POST /api/admin/products/:id/sizes/texts",
    "PUT /api/admin/products/:id/family",
    "DELETE /api/admin/products/:id/family",
    "POST /api/admin/products/:id/stock",
    "POST /api/admin/products/:id/batches",
    "PATCH /api/admin/products/:id/batches/:batchId",
    "POST /api/admin/discounts",
    "POST /api/admin/imports",
    "POST /api/admin/imports/:id/undo",
    "PATCH /api/admin/discounts/:id",
    "PATCH /api/admin/discounts",
    "DELETE /api/admin/discounts/:id",
  ],
  "changes texts, reviews or messages: no money, rights, keys or personal data are given away": [
    "PATCH /api/admin/reviews/photos/:id",
    "DELETE /api/admin/reviews/photos/:id",
    "DELETE /api/reviews/:id",
    "PATCH /api/admin/reviews/:id",
    "PATCH /api/admin/questions/:id",
    "DELETE /api/admin/questions/:id",
    "DELETE /api/admin/subscribers/:id",
    "POST /api/admin/campaigns",
    "POST /api/admin/campaign-pictures",
    "PATCH /api/admin/campaigns/:id",
    "DELETE /api/admin/campaigns/:id",
    "POST /api/admin/campaigns/:id/test",
    "POST /api/admin/campaigns/:id/send",
    "POST /api/admin/campaigns/:id/stop",
    "PATCH /api/admin/messages/:id",
    "DELETE /api/admin/messages/:id",
    "POST /api/admin/messages/:id/reply",
    "PATCH /api/admin/messages",
    "POST /api/admin/messages/delete",
    "POST /api/admin/saved-replies",
    "PUT /api/admin/saved-replies/:id",
    "DELETE /api/admin/saved-replies/:id",
    "PUT /api/admin/content/:key/draft",
    "POST /api/admin/content/:key/publish",
    "POST /api/admin/email-texts/:kind/test",
    "PUT /api/admin/email-texts/:kind/draft",
    "POST /api/admin/email-texts/:kind/publish",
    "PUT /api/admin/menu/draft",
    "POST /api/admin/menu/publish",
  ],
  "sends to an address that was confirmed when it was entered": [
    "POST /api/admin/webhooks/:id/test",
    "POST /api/admin/webhooks/:id/deliveries/:deliveryId/replay",
  ],
  "buys or cancels postage, which only the carrier is paid for": [
    "POST /api/admin/orders/:id/labels",
    "DELETE /api/admin/orders/:id/labels/:labelId",
    "POST /api/admin/orders/:id/labels/:labelId/count-as-void",
    "POST /api/admin/labels",
    "POST /api/admin/labels/printed",
  ],
  "changes parcels or notes of an order: no money moves": [
    "POST /api/admin/orders/:id/restock",
    "POST /api/admin/orders/:id/notes",
    "DELETE /api/admin/orders/:id/notes/:noteId",
    "POST /api/admin/orders/:id/ship",
    "POST /api/admin/orders/ship",
    "PATCH /api/admin/orders/:id/fulfilment",
    "POST /api/admin/orders/:id/deliver",
    "PATCH /api/admin/orders/:id/shipments/:shipmentId",
    "POST /api/admin/orders/:id/shipments/:shipmentId/deliver",
    "POST /api/admin/orders/:id/shipments/:shipmentId/undo",
    "PATCH /api/admin/returns/:id",
    "POST /api/admin/orders/:id/exchange/:exchangeId/let-go",
    "PATCH /api/admin/orders/:id/tags",
    "POST /api/admin/orders/:id/hold",
    "POST /api/admin/orders/:id/problem",
    "POST /api/admin/order-filters",
    "DELETE /api/admin/order-filters/:id",
  ],
  "changes an order's contact: later actions through the new address are recorded as that person's": [
    "PATCH /api/admin/orders/:id/contact",
    "POST /api/admin/orders/:id/resend-confirmation",
    "POST /api/admin/outbox/:id/resend",
  ],
  "asks a buyer to pay, or records that one has paid: no money is paid out": [
    "POST /api/admin/drafts/:id/link",
    "POST /api/admin/orders/:id/items/:changeId/link",
    "POST /api/admin/orders/:id/items/:changeId/send",
    "POST /api/admin/orders/:id/items/:changeId/withdraw",
    "POST /api/admin/orders/:id/exchange/:exchangeId/link",
    "POST /api/admin/orders/:id/exchange/:exchangeId/send",
    "DELETE /api/admin/drafts/:id",
    "POST /api/admin/drafts/:id/send",
    "POST /api/admin/drafts/:id/paid",
  ],
  "changes records, and moves no money": [
    "POST /api/admin/money-checks",
    "POST /api/admin/money-checks/:id/findings/:findingId/mend",
    "POST /api/admin/donations",
    "DELETE /api/admin/donations/:id",
    "POST /api/admin/invoices/:id/void",
    "POST /api/admin/orders/:id/invoices",
    "POST /api/admin/attention/:id/resolve",
    "POST /api/admin/jobs/failed/:id/retry",
    "POST /api/admin/jobs/failed/retry",
    "DELETE /api/admin/jobs/failed/:id",
  ],
  "drafts the answer to a dispute; sending it requires a confirmation": [
    "POST /api/admin/disputes/:id/evidence",
    "PUT /api/admin/disputes/:id/evidence",
    "DELETE /api/admin/disputes/:id/evidence",
    "POST /api/admin/disputes/:id/files",
    "DELETE /api/admin/disputes/:id/files/:fileId",
  ],
  "downloads lists or single documents, which is logged": [
    "GET /api/admin/batches/:id/orders.csv",
    "GET /api/admin/orders.csv",
    "GET /api/admin/customers.csv",
    "GET /api/admin/subscribers.csv",
    "GET /api/admin/sources.csv",
    "GET /api/admin/books/:file",
    "GET /api/admin/books.zip",
    "GET /api/admin/invoices.zip",
    "GET /api/admin/invoices/:id/pdf",
    "GET /api/admin/disputes/:id/files/:fileId",
    "GET /api/admin/labels/:id/pdf",
    "GET /api/admin/labels/jobs/:id/pdf",
    "GET /api/admin/label-tool.csv",
  ],
  "tags, annotates or merges customers; a merge can be undone": [
    "PUT /api/admin/customers/:id/tags",
    "POST /api/admin/customers/:id/notes",
    "DELETE /api/admin/customers/:id/notes/:noteId",
    "POST /api/admin/customers/:id/merge",
    "DELETE /api/admin/customers/:id/merges/:mergeId",
  ],
  "creates or tests something within the shop; no data leaves it": [
    "POST /api/admin/backups",
    "POST /api/admin/connections/:name/try",
    "POST /api/admin/go-live/keep",
    "POST /api/admin/go-live/test-email",
    "POST /api/admin/go-live/test-webhook",
    "POST /api/admin/go-live/register-domain",
  ],
  "changes alerts, which contain no buyer's name and no access to the panel": [
    "POST /api/notifications/sms-settings",
    "DELETE /api/notifications/sms-settings",
    "POST /api/notifications/test-sms",
    "POST /api/admin/account/devices",
    "PUT /api/admin/account/devices/:id",
    "PATCH /api/admin/account/devices/:id",
    "DELETE /api/admin/account/devices/:id",
    "POST /api/admin/account/devices/:id/test",
  ],
  "is the confirmation itself, or only renames a passkey": [
    "POST /api/admin/account/confirm/question",
    "POST /api/admin/account/confirm",
    "PATCH /api/admin/account/passkeys/:id",
  ],
  "ends a session, which must always be possible at once": [
    "DELETE /api/admin/sessions/:id",
    "DELETE /api/admin/sessions",
  ],
};

/** Why the remaining calls, of the panel and of shoppers, are not in the activity log and require no confirmation. */
const unloggedCalls: Record<string, string[]> = {
  "shows data that the role may see, in pages; files are logged as downloads": [
    "GET /api/orders",
    "GET /api/admin/orders/:id",
    "GET /api/admin/orders/:id/invoices",
    "GET /api/admin/orders/:id/neighbors",
    "GET /api/admin/packing",
    "GET /api/admin/packing/:id",
    "GET /api/admin/batches/:id/orders",
    "GET /api/admin/customers",
    "GET /api/admin/customers/:id",
    "GET /api/admin/subscribers",
    "GET /api/admin/messages",
    "GET /api/admin/messages/:id",
    "GET /api/admin/outbox",
    "GET /api/admin/outbox/:id",
    "GET /api/admin/drafts",
    "GET /api/admin/drafts/:id",
    "GET /api/admin/disputes/:id",
    "GET /api/admin/invoices",
    "GET /api/admin/questions",
    "GET /api/admin/reviews",
    "GET /api/admin/attention",
    "GET /api/admin/jobs/failed",
    "GET /api/admin/find",
    "POST /api/admin/orders/:id/label-rates",
    "POST /api/admin/orders/:id/label-address",
    "GET /api/admin/orders/:id/labels",
    "GET /api/admin/labels/jobs/:id",
    "POST /api/admin/tracking/match",
    "POST /api/admin/imports/check",
    "GET /api/admin/imports",
  ],
  "shows sums, which only other calls change": [
    "GET /api/admin/overview",
    "GET /api/admin/sources",
    "GET /api/admin/books",
    "GET /api/admin/donations",
    "GET /api/admin/money-checks",
    "GET /api/admin/money-checks/:id",
    "POST /api/admin/orders/:id/items/preview",
    "POST /api/admin/drafts/preview",
    "POST /api/admin/orders/:id/exchange/preview",
  ],
  "shows people's rights and which keys are set, but no secret": [
    "GET /api/admin/account",
    "GET /api/admin/api-keys",
    "GET /api/admin/webhooks",
    "GET /api/admin/webhooks/:id/deliveries",
    "GET /api/admin/account/devices",
    "GET /api/admin/activity",
    "GET /api/admin/backups",
    "GET /api/admin/off-site",
    "GET /api/admin/connections",
    "GET /api/admin/go-live",
    "GET /api/admin/people",
    "GET /api/admin/rights",
    "GET /api/admin/sessions",
    "GET /api/admin/settings",
    "GET /api/notifications/sms-settings",
  ],
  "shows products, texts and counts: no money, rights, keys or personal data": [
    "GET /api/admin/products",
    "GET /api/admin/products/:id",
    "GET /api/admin/products/:id/bundles",
    "GET /api/admin/products/:id/stock",
    "GET /api/admin/discounts",
    "GET /api/admin/discounts/:id",
    "GET /api/admin/campaigns",
    "GET /api/admin/campaigns/:id",
    "GET /api/admin/campaign-facts",
    "POST /api/admin/campaigns/check",
    "GET /api/admin/order-filters",
    "GET /api/admin/customer-filters",
    "GET /api/admin/order-tags",
    "GET /api/admin/saved-replies",
    "GET /api/admin/time-zone",
    "GET /api/admin/content",
    "GET /api/admin/content/:key",
    "GET /api/admin/content/:key/versions",
    "POST /api/admin/content/:key/check",
    "GET /api/admin/email-texts",
    "GET /api/admin/email-texts/:kind",
    "GET /api/admin/email-texts/:kind/versions",
    "POST /api/admin/email-texts/:kind/check",
    "GET /api/admin/menu",
    "GET /api/admin/menu/versions",
    "POST /api/admin/menu/check",
    "POST /api/admin/tracking/check",
    "GET /api/admin/counts",
    "GET /api/admin/news",
    "GET /api/admin/to-do",
  ],
  "signs somebody in, which counts as a confirmation, or out": [
    "POST /api/admin/verify",
    "POST /api/admin/passkey/question",
    "POST /api/admin/passkey",
    "GET /api/admin/invitation",
    "POST /api/admin/invitation",
    "POST /api/admin/logout",
    "GET /api/admin/session",
  ],
  "takes a buyer's payment, and pays nothing back": [
    "POST /api/stripe/create-payment-intent",
    "POST /api/stripe/create-checkout-session",
    "POST /api/sandbox/payment-intents/:id/confirm",
  ],
  "is authenticated by the payment provider's signature": ["POST /api/stripe/webhook"],
  "comes to an address that only the label providers know, and only makes the shop query them": [
    "POST /api/parcels",
  ],
  "is sent to an address that the mail provider alone knows, and only ends optional e-mail": [
    "POST /api/mail/reports",
  ],
  "shows visitors, or holders of a link, their own data, and moves no money": [
    "GET /api/checkout/payments/:id",
    "GET /api/stripe/payment-intent/:id",
    "GET /api/stripe/checkout-session/:id",
    "GET /api/order-details",
    "GET /api/orders/user/:user",
    "GET /api/orders/:id",
    "GET /api/orders/:id/again",
    "POST /api/orders/:id/again",
    "GET /api/orders/:id/change",
    "GET /api/orders/:id/invoices",
    "GET /api/reviews/mine",
    "GET /api/cart",
    "GET /api/checkout/reminder",
  ],
  "sends a link to the given address only, whoever calls": [
    "POST /api/orders/find",
    "POST /api/account/export",
    "POST /api/account/deletion",
  ],
  "changes a visitor's own cart, contributions or subscriptions": [
    "POST /api/cart/add",
    "POST /api/cart/remove",
    "POST /api/cart/set",
    "POST /api/cart/clear",
    "POST /api/cart/quote",
    "POST /api/checkout/reminder",
    "DELETE /api/checkout/reminder",
    "POST /api/reviews/photos",
    "GET /api/reviews/photos/:id",
    "DELETE /api/reviews/photos/:id",
    "PUT /api/reviews/:id/helpful",
    "POST /api/questions",
    "POST /api/contact",
    "POST /api/stock-alerts",
    "POST /api/stock-alerts/confirm",
    "POST /api/newsletter",
    "POST /api/newsletter/confirm",
    "POST /api/unsubscribe",
  ],
  "answers everybody the same, or is rate-limited because it costs money": [
    "GET /api/products",
    "GET /api/products/:slug",
    "POST /api/products/:slug/views",
    "GET /api/reviews",
    "GET /api/reviews/product/:productId",
    "GET /api/questions/product/:productId",
    "GET /api/wallets",
    "GET /api/stripe/test",
    "GET /api/address/suggestions",
    "GET /api/address/suggestions/:id",
  ],
};
/**
 * Calls of buyers, who have no access code to confirm with. In a browser with an open panel session they are logged, and count
 * towards the limit, as that person's calls (acting-as-buyer.test.ts).
 */
const buyerCalls = [
  "POST /api/orders/find/use",
  "POST /api/orders/:id/cancel",
  "POST /api/orders/:id/address",
  "POST /api/orders/:id/return",
  "POST /api/orders/:id/withdraw",
  "POST /api/orders/:id/change/:changeId/pay",
  "PUT /api/orders/:id/refill-reminder",
  "POST /api/orders/:id/invoices",
  "GET /api/orders/:id/invoices/:invoiceId/pdf",
  "GET /api/orders/:id/returns/:returnId/label",
  "GET /api/pay/:id",
  "POST /api/pay/:id",
  "GET /api/pay-change/:id",
  "POST /api/pay-change/:id",
  "GET /api/pay-exchange/:id",
  "POST /api/pay-exchange/:id",
  "POST /api/reviews",
  "POST /api/account/export/use",
  "POST /api/account/deletion/use",
];

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ OWNER_EMAIL: "shop-owner@palmira.example" });
});
afterAll(() => shop.stop());

const requiresConfirmation = ({ status, body }: Pick<ApiResponse, "status" | "body">) =>
  status === 403 && body.error === "confirmation_required";
const confirmCode = (browser: TestBrowser) =>
  browser.post("/api/admin/account/confirm", { accessCode: "open-sesame-1234" });

/** A signed-in browser whose last confirmation was three hours ago. */
async function openUnconfirmed(
  open: () => Promise<TestBrowser> = () => adminBrowser(shop),
): Promise<TestBrowser> {
  const browser = await open();
  shop.travel(3 * hourMs);
  return browser;
}

let count = 0;
async function join(role: string): Promise<{ browser: TestBrowser; name: string; email: string }> {
  count += 1;
  const person = { name: `Person ${count}`, email: `person-${count}@palmira.example`, role };
  const { body } = await (await adminBrowser(shop)).post("/api/admin/people", person);
  const browser = shop.browser();
  const token = new URL(body.data.link).searchParams.get("token");
  expect((await browser.post("/api/admin/invitation", { token })).status).toBe(200);
  return { browser, ...person };
}

/** Registers a software passkey; returns the refusing answer if that fails. */
async function addPasskey(browser: TestBrowser): Promise<{ id: string; passkey: SoftPasskey } | ApiResponse> {
  const passkey = new SoftPasskey(shop.ctx.config.publicUrl);
  const question = await browser.post("/api/admin/account/passkeys/question");
  if (question.status !== 200) return question;
  const body = { name: "Phone", passkey: passkey.create(question.body.data) };
  const added = await browser.post("/api/admin/account/passkeys", body);
  return added.status === 201 ? { id: added.body.data.id, passkey } : added;
}

/** Subjects of the security e-mails to owners since `since`, by address. */
async function alertsSince(at: Date): Promise<Record<string, string[]>> {
  await shop.jobsDone();
  const adminRows = await shop.database.db
    .select({ recipient: messages.recipient, subject: messages.subject })
    .from(messages)
    .where(
      sql`${messages.kind} = 'owner_security' and ${messages.createdAt} >= ${at.toISOString()}::timestamptz`,
    );
  return Object.fromEntries(
    Object.entries(Object.groupBy(adminRows, ({ recipient }) => recipient ?? "")).map(([to, all]) => [
      to,
      (all ?? []).map(({ subject }) => subject ?? ""),
    ]),
  );
}

describe("every call", () => {
  const adminRows = () => shop.api.filter(({ access }) => access === "admin");
  const isLogged = (row: AnyApiRow) =>
    row.access === "admin" && (row.downloads || (row.method !== "GET" && !row.onlyReads));
  const sortedKeys = (all: readonly AnyApiRow[]) => all.map(({ key }) => String(key)).sort();

  test("requires a confirmation, counts the amount given away, or has a reason for neither", () => {
    const logged = [
      ...alwaysConfirmed,
      ...sometimesConfirmed,
      ...confirmedAboveLimit,
      ...Object.values(neverConfirmed).flat(),
    ];
    const unlogged = [...Object.values(unloggedCalls).flat(), ...buyerCalls];
    expect(logged.toSorted()).toEqual(sortedKeys(shop.api.filter(isLogged)));
    expect(unlogged.toSorted()).toEqual(sortedKeys(shop.api.filter((row) => !isLogged(row))));
    expect(buyerCalls.toSorted()).toEqual(sortedKeys(shop.api.filter((row) => row.byBuyer)));
    const keysByConfirmType = (type: string) =>
      sortedKeys(shop.api.filter(({ confirm }) => typeof confirm === type));
    expect(keysByConfirmType("string")).toEqual(alwaysConfirmed.toSorted());
    expect(keysByConfirmType("function")).toEqual(sometimesConfirmed.toSorted());
    expect(sortedKeys(shop.api.filter(({ givesAway }) => givesAway))).toEqual(confirmedAboveLimit.toSorted());
  });

  test("is in the activity log if it returns a file", () => {
    const files = adminRows().filter(({ method, response }) => method === "GET" && response === undefined);
    expect(files.filter(({ downloads }) => !downloads)).toEqual([]);
  });

  test.each(alwaysConfirmed)("(%s) requires a new confirmation after ten minutes", async (key) => {
    const row = adminRows().find((apiRow) => apiRow.key === key) as AnyApiRow;
    const rowWithoutInput = {
      ...row,
      params: undefined,
      query: undefined,
      body: undefined,
      response: undefined,
      handle: async () => ({ status: 200, body: {} }),
    } as AnyApiRow;
    const call = async (browser: TestBrowser) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = new Headers({ cookie });
      const caller = {
        headers,
        pathParams: {},
        address: "127.0.0.1",
        isOriginAllowed: true,
        isFromOtherSite: false,
      };
      const gate = { ...shop.ctx, limits: { take: async () => null, takeFrom: async () => null } as never };
      const { result } = await passGate(gate, rowWithoutInput, caller, () => checkInput(rowWithoutInput, {}));
      return "problem" in result ? result.problem : result.status;
    };
    const browser = await adminBrowser(shop);
    expect(await call(browser)).toBe(200);
    shop.travel(10 * minuteMs + 1_000);
    expect(await call(browser)).toBe("confirmation_required");
    expect((await confirmCode(browser)).status).toBe(200);
    expect(await call(browser)).toBe(200);
  });
});

describe("a stranger at a signed-in browser", () => {
  let readLimit: () => Promise<number | null>;
  beforeEach(async () => {
    const browser = await adminBrowser(shop);
    const setLimit = (cents: number) =>
      send(browser, "PATCH", "/api/admin/settings", { confirmAboveCents: cents });
    expect((await setLimit(100)).status).toBe(200);
    readLimit = async () => (await browser.get("/api/admin/settings")).body.data.confirmAboveCents;
  });

  test.each(["owner", "staff"])("cannot replace the %s’s passkey by their own", async (role) => {
    let passkey = { id: "" };
    const browser = await openUnconfirmed(async () => {
      const { browser } = await join(role);
      passkey = (await addPasskey(browser)) as { id: string };
      return browser;
    });
    const path = `/api/admin/account/passkeys/${passkey.id}?evenLast=yes`;
    expect(requiresConfirmation(await send(browser, "DELETE", path))).toBe(true);
    expect(requiresConfirmation((await addPasskey(browser)) as ApiResponse)).toBe(true);
    expect((await browser.get("/api/admin/account")).body.data.passkeys).toMatchObject([{ id: passkey.id }]);
  });

  test("cannot add the first passkey, nor finish adding one that was started while the session was confirmed", async () => {
    const { browser } = await join("owner");
    const question = await browser.post("/api/admin/account/passkeys/question");
    shop.travel(10 * minuteMs + 1_000);
    expect(requiresConfirmation((await addPasskey(browser)) as ApiResponse)).toBe(true);
    const passkey = new SoftPasskey(shop.ctx.config.publicUrl).create(question.body.data);
    expect(
      requiresConfirmation(await browser.post("/api/admin/account/passkeys", { name: "Phone", passkey })),
    ).toBe(true);
    // People without a passkey confirm with the access code.
    expect((await browser.post("/api/admin/account/confirm/question")).status).toBe(409);
    expect((await browser.post("/api/admin/account/confirm", { accessCode: "wrong" })).status).toBe(409);
    expect((await confirmCode(browser)).status).toBe(200);
    const added = await addPasskey(browser);
    expect(added).toMatchObject({ id: expect.any(String) });
  });

  test("can neither invite nor promote people, nor create an account", async () => {
    const { email } = await join("staff");
    const [staff] = await shop.database.db.select().from(people).where(eq(people.email, email));
    const path = `/api/admin/people/${staff?.id}`;
    const browser = await openUnconfirmed();
    const eve = { name: "Eve", email: "eve@palmira.example" };
    for (const refused of [
      await browser.post("/api/admin/people", { ...eve, role: "owner" }),
      await browser.post("/api/admin/people", { ...eve, role: "packer" }),
      await send(browser, "PATCH", path, { role: "owner" }),
      await send(browser, "PATCH", path, { active: false }),
      await browser.post(`${path}/invitation`),
      await send(browser, "DELETE", `${path}/invitation`),
      await browser.post("/api/admin/account", eve),
      await send(browser, "PATCH", "/api/admin/settings", { confirmAboveCents: null }),
      await send(browser, "PATCH", "/api/admin/settings", { confirmAboveCents: 50 }),
    ]) {
      expect(refused.body.error).toBe("confirmation_required");
    }
    expect(await readLimit()).toBe(100);
    expect(await shop.database.db.$count(people, eq(people.email, eve.email))).toBe(0);
    // Changing a name or another setting requires no confirmation.
    expect((await send(browser, "PATCH", path, { name: "Renamed" })).status).toBe(200);
    const other = { confirmAboveCents: 100, lowStockAt: 4 };
    expect((await send(browser, "PATCH", "/api/admin/settings", other)).status).toBe(200);
  });

  test("cannot use a confirmation of another session of the same person", async () => {
    const browser = await openUnconfirmed();
    await confirmCode(await adminBrowser(shop));
    const eve = { name: "Eve", email: "eve@palmira.example", role: "owner" };
    expect(requiresConfirmation(await browser.post("/api/admin/people", eve))).toBe(true);
  });
});

describe("the owners", () => {
  test("all get an e-mail about each change of people, passkeys and limit, with its author", async () => {
    const first = await join("owner");
    await join("staff");
    const leaver = await join("owner");
    const codeBrowser = await adminBrowser(shop);
    const [leaverRow] = await shop.database.db.select().from(people).where(eq(people.email, leaver.email));
    const [{ now } = { now: new Date() }] = (
      await shop.database.db.execute<{ now: Date }>(sql`select clock_timestamp() as now`)
    ).rows;
    const since = new Date(now);

    await send(codeBrowser, "PATCH", `/api/admin/people/${leaverRow?.id}`, { active: false });
    const added = await addPasskey(first.browser);
    if (!("passkey" in added)) throw new Error("no passkey was added");
    const path = `/api/admin/account/passkeys/${added.id}`;
    expect((await send(first.browser, "DELETE", `${path}?evenLast=yes`)).status).toBe(200);
    await send(codeBrowser, "PATCH", "/api/admin/settings", { confirmAboveCents: 2_000 });
    await send(codeBrowser, "PATCH", "/api/admin/settings", { confirmAboveCents: null, lowStockAt: 3 });
    await send(codeBrowser, "PATCH", "/api/admin/settings", { lowStockAt: 5 });
    await codeBrowser.post("/api/admin/account", { name: "Ada", email: "ada-owner@palmira.example" });

    const alerts = await alertsSince(since);
    const changes = [
      `The account of ${leaver.name} was deactivated`,
      `A passkey was added to the account of ${first.name}`,
      `A passkey was removed from the account of ${first.name}`,
      expect.stringMatching(
        /^The limit for refunds and discounts without confirmation was set .*to \$20\.00$/,
      ),
      "The limit of $20.00 for refunds and discounts without confirmation was removed",
      "Ada has an owner’s account now",
    ];
    for (const to of ["shop-owner@palmira.example", first.email]) {
      expect(alerts[to]?.toSorted()).toEqual(expect.arrayContaining(changes));
      expect(alerts[to]).toHaveLength(changes.length);
    }
    expect(Object.keys(alerts)).not.toContain(leaver.email);
    const [mail] = await shop.database.db
      .select()
      .from(messages)
      .where(sql`${messages.subject} = 'Ada has an owner’s account now'`);
    expect(mail?.text).toContain("Whoever has the access code did this on");
    expect(mail?.text).toContain("/admin/activity");
  });
});

describe("downloads", () => {
  test("are in the activity log with person and file, even if refused; those of a customer’s data and of backups require a confirmation", async () => {
    const { browser, name } = await join("owner");
    const readEntries = async () =>
      (await browser.get("/api/admin/activity?limit=5")).body.data as {
        summary: string;
        action: string;
        outcome: string;
        who: { person: { name: string } };
      }[];
    for (const [path, file] of [
      ["/api/admin/customers.csv?q=Ida", /^Downloaded customers-.*\.csv$/],
      ["/api/admin/orders.csv", /^Downloaded orders-.*\.csv$/],
      ["/api/admin/subscribers.csv", /^Downloaded subscribers-.*\.csv$/],
      [
        "/api/admin/books/ledger?from=2026-01-01&to=2026-01-31",
        "Downloaded ledger-2026-01-01-2026-01-31.csv",
      ],
      ["/api/admin/books.zip?from=2026-01-01&to=2026-01-31", "Downloaded books-2026-01-01-2026-01-31.zip"],
      [
        "/api/admin/invoices.zip?from=2026-01-01&to=2026-01-31",
        "Downloaded invoices-2026-01-01-2026-01-31.zip",
      ],
    ] as const) {
      const response = await browser.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      await response.arrayBuffer();
      const [entry] = await readEntries();
      expect(entry?.summary).toMatch(file);
      expect(entry).toMatchObject({ outcome: "done", who: { person: { name } } });
    }
    expect((await browser.get("/api/admin/backups/999999/file")).status).toBe(404);
    expect((await readEntries())[0]).toMatchObject({
      action: "GET /api/admin/backups/:id/file",
      outcome: "refused",
    });
    const before = await readEntries();
    await browser.get("/api/admin/customers");
    expect(await readEntries()).toEqual(before);

    shop.travel(10 * minuteMs + 1_000);
    expect(requiresConfirmation(await browser.get("/api/admin/backups/999999/file"))).toBe(true);
    expect(requiresConfirmation(await browser.get("/api/admin/customers/1/data"))).toBe(true);
    expect((await browser.fetch("/api/admin/customers.csv")).status).toBe(200);
  });
});
