import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminBrowser, send } from "../../../test/admin.ts";
import { confirm, order } from "../../../test/checkout.ts";
import { soon } from "../../../test/patience.ts";
import { openTestShop, type TestBrowser } from "../../../test/shop.ts";
import { issues } from "../../issues/tables.ts";
import { orderLinkToken } from "../../orders/link-tokens.ts";
import { openAddressLookup } from "./open-lookup.ts";

const key = "the-secret-key";
const session = "session-0001";
type ServiceRequest = { method: string; url: URL; key: unknown; fields: unknown; body: unknown };

/** Queued responses of the fake address service; a number is a status without JSON. */
let responses: (object | number | "never")[] = [];
const requests: ServiceRequest[] = [];
let abortedCount = 0;
const service = createServer(async (request, response) => {
  response.once("close", () => {
    if (!response.writableFinished) abortedCount += 1;
  });
  requests.push(await parseRequest(request));
  sendResponse(response);
});

service.listen(0, "127.0.0.1");
await once(service, "listening");
const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
const shop = await openTestShop({ GOOGLE_PLACES_KEY: key, ADDRESS_LOOKUP_API_BASE: serviceUrl });
afterAll(async () => {
  await shop.stop();
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  responses = [];
  requests.length = 0;
});

const suggestionsPath = "/api/address/suggestions?q=350%205th%20Ave&country=us&session=session-0001";

async function browserWithCart(address?: string): Promise<TestBrowser> {
  const browser = shop.browser(address);
  expect((await browser.post("/api/cart/add", { productId: 1, quantity: 1 })).status).toBe(200);
  return browser;
}

test("a shop without a key reports that it cannot suggest addresses", async () => {
  const { addressLookup } = shop.ctx;
  shop.ctx.addressLookup = null;
  const refused = await (await browserWithCart()).get(suggestionsPath);
  expect([refused.status, refused.body.error]).toEqual([503, "not_configured"]);
  shop.ctx.addressLookup = addressLookup;
});

describe("Google Places", () => {
  test("suggests addresses of the country, and returns the fields of the selected one", async () => {
    const prediction = (placeId: string, text: string) => ({ placePrediction: { placeId, text: { text } } });
    responses = [
      { suggestions: [prediction("ChIJ_1", "350 5th Avenue, New York"), { queryPrediction: {} }] },
      { addressComponents: empireState },
    ];
    const browser = await browserWithCart();
    const suggestionsResponse = await browser.get(suggestionsPath);
    expect(suggestionsResponse.body.data).toEqual({
      suggestions: [{ id: "ChIJ_1", text: "350 5th Avenue, New York" }],
      attribution: "Powered by Google",
    });
    expect(await browser.get(`/api/address/suggestions/ChIJ_1?session=${session}`)).toMatchObject({
      status: 200,
      body: {
        data: { line1: "350 5th Avenue", line2: "", city: "New York", state: "NY", country: "US" },
      },
    });
    expect(requests[0]).toMatchObject({
      key,
      body: { input: "350 5th Ave", includedRegionCodes: ["us"], sessionToken: session },
    });
    expect(requests[1]).toMatchObject({ method: "GET", key, fields: "addressComponents" });
    expect(requests[1]?.url.pathname).toBe("/v1/places/ChIJ_1");
    expect(requests[1]?.url.searchParams.get("sessionToken")).toBe(session);
  });

  test.each([
    ["an error", 500],
    ["a refused key", 403],
    ["an answer of another shape", { suggestions: "none" }],
    ["an answer that is not JSON", 200],
  ])("failing with %s returns 502, and neither key nor address is logged", async (_, response) => {
    responses = [response];
    const refused = await (await browserWithCart()).get(suggestionsPath);
    expect([refused.status, refused.body.error]).toEqual([502, "provider_unavailable"]);
    const log = shop.logLines.join("\n");
    expect(log).toContain("addresses cannot be suggested");
    expect(log).not.toMatch(/the-secret-key|5th/);
  });

  test("returns 404 for an unknown id", async () => {
    responses = [404];
    const { status } = await (await browserWithCart()).get(
      `/api/address/suggestions/gone?session=${session}`,
    );
    expect(status).toBe(404);
  });

  test("is not called for short texts, other countries or without a session", async () => {
    const refused = await (await browserWithCart()).get("/api/address/suggestions?q=35&country=XX&session=1");
    expect(Object.keys(refused.body.fields)).toEqual(["q", "country", "session"]);
    expect(requests).toEqual([]);
  });

  test("is aborted when the caller leaves, and after a timeout", async () => {
    responses = ["never", "never"];
    const before = abortedCount;
    const caller = new AbortController();
    const browser = await browserWithCart();
    const pending = browser.fetch(suggestionsPath, { signal: caller.signal });
    await vi.waitFor(() => expect(requests).toHaveLength(1), soon);
    caller.abort();
    expect((await pending).status).toBe(499);
    await vi.waitFor(() => expect(abortedCount).toBe(before + 1), soon);
    const { addressLookup } = shop.ctx;
    shop.ctx.addressLookup = openAddressLookup({ provider: "google", key, apiBase: serviceUrl }, 20);
    expect((await browser.get(suggestionsPath)).status).toBe(502);
    shop.ctx.addressLookup = addressLookup;
    // On a busy machine, a call may time out before it reaches the service.
    await vi.waitFor(() => expect(abortedCount - before).toBe(requests.length), soon);
  });

  test("is limited per hour, network and visitor", async () => {
    responses = Array.from({ length: 250 }, () => ({}));
    const visitor = await browserWithCart("198.51.100.77");
    const statuses = [];
    for (let call = 0; call < 81; call += 1) statuses.push((await visitor.get(suggestionsPath)).status);
    expect([statuses[79], statuses[80]]).toEqual([200, 429]);
    expect(requests).toHaveLength(80);
    const others = [await browserWithCart("198.51.100.77"), await browserWithCart("198.51.100.77")];
    const otherStatuses = [];
    for (let call = 0; call < 160; call += 1)
      otherStatuses.push((await others[call % 2]?.get(suggestionsPath))?.status);
    expect([otherStatuses[158], otherStatuses[159]]).toEqual([200, 429]);
    expect(requests).toHaveLength(239);
  });

  describe("is not called for a visitor", () => {
    beforeEach(() => {
      responses = Array.from({ length: 5 }, () => ({ suggestions: [] }));
    });

    test("without a cookie, or with nothing in the cart", async () => {
      const browser = shop.browser();
      expect((await browser.get(suggestionsPath)).status).toBe(403);
      // The visitor's cart is empty: never filled here, and emptied again below.
      await browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }] });
      expect((await browser.get(suggestionsPath)).status).toBe(403);
      await browser.post("/api/cart/add", { productId: 1, quantity: 1 });
      expect((await browser.get(suggestionsPath)).status).toBe(200);
      await browser.post("/api/cart/clear", {});
      expect((await browser.get(`/api/address/suggestions/x?session=${session}`)).status).toBe(403);
      expect(requests).toHaveLength(1);
    });

    test.each([
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { Origin: "https://evil.example" },
    ])("whose call comes from another site: %o", async (headers) => {
      const browser = await browserWithCart();
      const selectionPath = `/api/address/suggestions/x?session=${session}`;
      expect((await browser.fetch(suggestionsPath, { headers })).status).toBe(403);
      expect((await browser.fetch(selectionPath, { headers })).status).toBe(403);
      expect(requests).toEqual([]);
      const sameOrigin = { "Sec-Fetch-Site": "same-origin" };
      expect((await browser.fetch(suggestionsPath, { headers: sameOrigin })).status).toBe(200);
    });

    test("who names another visitor's order without the token of its link", async () => {
      const buyer = shop.browser();
      const started = await order(buyer);
      await confirm(buyer, started);
      await shop.jobsDone();
      await buyer.post("/api/cart/clear", {});
      const orderSuggestionsPath = `${suggestionsPath}&order=${started.body.orderId}`;
      expect((await buyer.get(orderSuggestionsPath)).status).toBe(200);
      expect((await buyer.get(suggestionsPath)).status).toBe(403);
      expect((await shop.browser().get(orderSuggestionsPath)).status).toBe(403);
      expect((await shop.browser().get(`${orderSuggestionsPath}&token=guess`)).status).toBe(403);
      const token = orderLinkToken(shop.ctx.secret, { id: started.body.orderId, events: [] }, new Date());
      expect((await shop.browser().get(`${orderSuggestionsPath}&token=${token}`)).status).toBe(200);
    });
  });

  test("is limited per day by the owner’s setting; the owner is notified once, and checkout continues", async () => {
    const setDailyLimit = async (addressQuestionsPerDay: number) => {
      const admin = await adminBrowser(shop);
      await send(admin, "PATCH", "/api/admin/settings", { addressQuestionsPerDay });
    };
    await setDailyLimit(3);
    // Lookups of earlier tests count too; a new day starts at zero.
    shop.travel(24 * 60 * 60 * 1000);
    responses = Array.from({ length: 9 }, () => ({ suggestions: [] }));
    const statuses = [];
    for (let call = 0; call < 5; call += 1)
      statuses.push((await (await browserWithCart()).get(suggestionsPath)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(requests).toHaveLength(3);
    const raisedIssues = await shop.database.db
      .select()
      .from(issues)
      .where(eq(issues.kind, "address_questions_used_up"));
    expect(raisedIssues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^All 3 questions of \d{4}-\d\d-\d\d to the service/),
    ]);
    expect((await order(await browserWithCart())).status).toBe(201);
    shop.travel(24 * 60 * 60 * 1000);
    expect((await (await browserWithCart()).get(suggestionsPath)).status).toBe(200);
    await setDailyLimit(0);
    expect((await (await browserWithCart()).get(suggestionsPath)).body.error).toBe("not_configured");
    await setDailyLimit(1000);
  });

  test("is named on the privacy page, but not in the content security policy", async () => {
    expect(await fetchText("/privacy")).toContain("asks Google for addresses that match");
    const { headers } = await shop.app.request("/privacy");
    expect(headers.get("Content-Security-Policy")).not.toContain("google");
  });
});

describe("Loqate", () => {
  beforeAll(() => {
    shop.ctx.addressLookup = openAddressLookup({ provider: "loqate", key, apiBase: serviceUrl });
  });
  const item = (Type: string, Id: string, Text: string) => ({
    Id,
    Type,
    Text,
    Highlight: "",
    Description: "London",
  });

  test("suggests addresses, also within a street, and returns the fields of the selected one", async () => {
    responses = [
      { Items: [item("Street", "GB|RM|ENG|DOWNING", "Downing Street")] },
      { Items: [item("Address", "GB|RM|A|1", "10 Downing Street"), item("Street", "GB|2", "Mews")] },
      { Items: [{ Id: "GB|RM|A|1", Line1: "10 Downing Street", City: "London", ...downingStreet }] },
    ];
    const browser = await browserWithCart();
    const suggestionsResponse = await browser.get(suggestionsPath.replace("=us", "=GB"));
    const suggestions = [{ id: "GB|RM|A|1", text: "10 Downing Street, London" }];
    expect(suggestionsResponse.body.data).toEqual({ suggestions, attribution: null });
    const id = encodeURIComponent("GB|RM|A|1");
    const { body } = await browser.get(`/api/address/suggestions/${id}?session=${session}`);
    expect(body.data).toEqual({
      line1: "10 Downing Street",
      line2: "",
      city: "London",
      state: "",
      postalCode: "SW1A 2AA",
      country: "GB",
    });
    expect(requests.map(({ url }) => url.pathname)).toEqual([
      "/Capture/Interactive/Find/v1.1/json3.ws",
      "/Capture/Interactive/Find/v1.1/json3.ws",
      "/Capture/Interactive/Retrieve/v1.2/json3.ws",
    ]);
    const [search, streetSearch, retrieval] = requests.map(({ url }) => Object.fromEntries(url.searchParams));
    expect(search).toMatchObject({ Key: key, Text: "350 5th Ave", Countries: "GB" });
    expect(streetSearch).toMatchObject({ Container: "GB|RM|ENG|DOWNING" });
    expect(retrieval).toEqual({ Key: key, Id: "GB|RM|A|1" });
  });

  test("errors that arrive as items of a list are recognized: a wrong key causes a 502, an unknown id a 404", async () => {
    const error = (code: string) => ({ Items: [{ Error: code, Description: "", Cause: "" }] });
    responses = [error("2"), error("1001"), 500, { Items: [{ Id: 5 }] }];
    const browser = await browserWithCart();
    expect((await browser.get(suggestionsPath)).status).toBe(502);
    expect((await browser.get(`/api/address/suggestions/x?session=${session}`)).status).toBe(404);
    expect((await browser.get(suggestionsPath)).status).toBe(502);
    expect((await browser.get(suggestionsPath)).status).toBe(502);
    expect(shop.logLines.join("\n")).not.toMatch(/the-secret-key|5th/);
  });
});

async function fetchText(path: string): Promise<string> {
  return (await shop.app.request(path)).text();
}

async function parseRequest(request: IncomingMessage): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? "",
    url: new URL(request.url ?? "", "http://service.test"),
    key: request.headers["x-goog-api-key"],
    fields: request.headers["x-goog-fieldmask"],
    body: text && JSON.parse(text),
  };
}

function sendResponse(response: ServerResponse): void {
  const next = responses.shift() ?? 500;
  if (next === "never") return;
  if (typeof next === "number") response.writeHead(next).end("<p>");
  else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(next));
}

const downingStreet = { ProvinceName: "", ProvinceCode: "", PostalCode: "SW1A 2AA", CountryIso2: "GB" };
const empireState = [
  ["street_number", "350"],
  ["route", "5th Avenue"],
  ["locality", "New York"],
  ["administrative_area_level_1", "New York", "NY"],
  ["country", "United States", "US"],
].map(([type, longText, shortText = longText]) => ({ types: [type], longText, shortText }));
