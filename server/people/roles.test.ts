import type { RouteConfigEntry } from "@react-router/dev/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mayOpen } from "../../app/features/admin/page-roles.ts";
import routes from "../../app/routes.ts";
import { isAllowed, nonOwnerRoles, type Role, roles, roleTexts } from "../../domain/people/roles.ts";
import { adminBrowser } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { type FilledShop, fillShop } from "../../test/filled-shop.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import type { AnyApiRow } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { checkInput, passGate } from "../http/gate.ts";

let shop: TestShop;
let filledShop: FilledShop;
/** An order to ship, with an e-mail address and a discount code that packers must not see. */
let discountedOrder: { orderId: string; orderNumber: number; paymentIntentId: string };
const browsers = new Map<Role, TestBrowser>();
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  filledShop = await fillShop(shop);
  const checkout = await order(filledShop.buyer, {
    email: "hidden@example.com",
    discountCode: "THANKS20",
    amount: 2991,
  });
  await confirm(filledShop.buyer, checkout);
  discountedOrder = checkout.body;
  const owner = await adminBrowser(shop);
  for (const role of roles) {
    const person = { name: role, email: `${role}@example.com`, role };
    const { body } = await owner.post("/api/admin/people", person);
    const token = new URL(body.data.link).searchParams.get("token");
    const browser = shop.browser();
    expect((await browser.post("/api/admin/invitation", { token })).status).toBe(200);
    browsers.set(role, browser);
  }
});
afterAll(() => shop.stop());

const browserFor = (role: Role): TestBrowser => {
  const browser = browsers.get(role);
  if (!browser) throw new Error(`nobody is ${role}`);
  return browser;
};
const adminRows = () => shop.api.filter(({ access }) => access === "admin");
const keysFor = (role: Role) =>
  adminRows().flatMap(({ key, roles }) => (isAllowed(role, roles) ? [String(key)] : []));

/** Words that name a part of a call's path in the role's text, where the two differ. */
const wordsInRoleTexts: Record<string, string> = {
  ...{
    attention: "issues",
    batches: "stock",
    campaigns: "newsletters",
    "campaign-pictures": "newsletters",
    content: "texts",
    "email-texts": "emails",
    outbox: "sent again by email",
  },
  drafts: "draft orders",
  "order-filters": "orders",
  "saved-replies": "messages",
  tracking: "shipping",
};

/** Calls about the caller's own account, which every role may make. */
const ownAccountCalls = /^[A-Z]+ \/api\/admin\/(account|sessions)(\/|$)/;

describe("API calls", () => {
  test("are allowed to the roles that they name, and refused to others with the reason", async () => {
    const table: Record<string, Record<Role, number>> = {};
    for (const row of adminRows()) {
      const rowWithoutInput: AnyApiRow = {
        ...row,
        params: undefined,
        query: undefined,
        body: undefined,
        response: undefined,
        upload: undefined as never,
        handle: async () => ({ status: 200, body: {} }),
      };
      const statuses = await Promise.all(
        roles.map(async (role) => {
          const caller = {
            headers: new Headers(),
            pathParams: {},
            address: "127.0.0.1",
            isOriginAllowed: true,
            isFromOtherSite: false,
          };
          const { result } = await passGate(roleContext(role), rowWithoutInput, caller, () =>
            checkInput(rowWithoutInput, {}),
          );
          return [role, "problem" in result ? (result.problem === "forbidden" ? 403 : 0) : 200] as const;
        }),
      );
      table[row.key] = Object.fromEntries(statuses) as Record<Role, number>;
    }
    const expected = Object.fromEntries(
      adminRows().map((row) => [
        row.key,
        Object.fromEntries(roles.map((role) => [role, isAllowed(role, row.roles) ? 200 : 403])),
      ]),
    );
    expect(table).toEqual(expected);
    expect(Object.values(table).every(({ owner }) => owner === 200)).toBe(true);
  });

  test("are refused by the role of the session, before the body is read", async () => {
    for (const role of nonOwnerRoles) {
      const deniedRow = adminRows().find((row) => row.method === "POST" && !isAllowed(role, row.roles));
      const response = await browserFor(role).fetch(String(deniedRow?.path).replace(/:\w+/g, "7"), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: "{not json",
      });
      const { error, message } = await response.json();
      expect([role, response.status, error]).toEqual([role, 403, "forbidden"]);
      expect(message).toContain(role);
    }
  });

  test("that are allowed to the accountant only read data", () => {
    const writingCalls = keysFor("accountant").filter(
      (key) => !key.startsWith("GET ") && !ownAccountCalls.test(key),
    );
    expect(writingCalls).toEqual([]);
  });

  test("that are allowed to packers are about orders and parcels only", () => {
    const packerCalls = keysFor("packer").filter((key) => !ownAccountCalls.test(key));
    expect(packerCalls.sort()).toEqual([
      "DELETE /api/admin/orders/:id/labels/:labelId",
      "GET /api/admin/counts",
      "GET /api/admin/labels/:id/pdf",
      "GET /api/admin/labels/jobs/:id",
      "GET /api/admin/labels/jobs/:id/pdf",
      "GET /api/admin/news",
      "GET /api/admin/orders/:id",
      "GET /api/admin/orders/:id/labels",
      "GET /api/admin/orders/:id/neighbors",
      "GET /api/admin/packing",
      "GET /api/admin/packing/:id",
      "GET /api/admin/rights",
      "GET /api/admin/time-zone",
      "GET /api/admin/to-do",
      "GET /api/orders",
      "PATCH /api/admin/orders/:id/fulfilment",
      "PATCH /api/admin/orders/:id/shipments/:shipmentId",
      "POST /api/admin/labels",
      "POST /api/admin/labels/printed",
      "POST /api/admin/orders/:id/label-address",
      "POST /api/admin/orders/:id/label-rates",
      "POST /api/admin/orders/:id/labels",
      "POST /api/admin/orders/:id/problem",
      "POST /api/admin/orders/:id/ship",
      "POST /api/admin/orders/:id/shipments/:shipmentId/undo",
      "POST /api/admin/orders/ship",
      "POST /api/admin/tracking/check",
      "POST /api/admin/tracking/match",
    ]);
  });

  test("that are allowed to a role are described in the role's text", () => {
    for (const role of nonOwnerRoles) {
      const pathNames = keysFor(role).flatMap((key) => {
        const [method, path = ""] = key.split(" ");
        if (method === "GET" || ownAccountCalls.test(key)) return [];
        return [/^\/api(?:\/admin)?\/([a-z-]+)/.exec(path)?.[1] ?? path];
      });
      const text = roleTexts[role].join(" ").toLowerCase();
      const missingWords = [...new Set(pathNames)].filter(
        (name) => !text.includes(wordsInRoleTexts[name] ?? name),
      );
      expect([role, missingWords]).toEqual([role, []]);
    }
  });

  test("are allowed only to the owner if they publish or test texts", () => {
    const publishingCalls = keysFor("staff").filter((key) =>
      /POST .*\/(content\/:key|email-texts\/:kind|menu)\/(publish|test)$/.test(key),
    );
    expect(publishingCalls).toEqual([]);
    expect(keysFor("staff")).toContain("PUT /api/admin/email-texts/:kind/draft");
  });

  test("about money, keys, people, exports of personal data and erasure are not allowed to staff", () => {
    const ownerCalls =
      /\/people|\.csv|\/backups|\/off-site|\/erase|\/go-live|\/sms-settings|\/keys|\/activity|PATCH .*\/settings|POST .*\/(donations|money-checks)|\/data$/;
    expect(keysFor("staff").filter((key) => ownerCalls.test(key))).toEqual([]);
  });
});

describe("pages of the panel", () => {
  const patterns = routePatterns(routes, "").filter((path) => /^\/admin(\/(?!join$)|$)/.test(path));

  test.each(nonOwnerRoles)(
    "open with all their data for exactly the roles that they name: %s",
    async (role) => {
      const allowed: Record<string, boolean> = {};
      for (const pattern of patterns) {
        const id = pattern.startsWith("/admin/orders/") ? filledShop.orders.paid : "1";
        const path = pattern.replace(/:page/, "shop").replace(/:\w+/g, id);
        const page = await browserFor(role).fetch(path, {
          headers: { Accept: "text/html" },
          redirect: "manual",
        });
        const html = page.status === 302 ? "" : await page.text();
        allowed[pattern] =
          page.status !== 403 && page.status !== 302 && !html.includes("is not for your role");
      }
      const expected = Object.fromEntries(patterns.map((pattern) => [pattern, mayOpen(role, pattern)]));
      // Packers are redirected to the orders that are ready to ship.
      if (role === "packer") expected["/admin/orders"] = false;
      expect(allowed).toEqual(expected);
    },
  );

  test("show a role only links to sections that it may open", async () => {
    const page = await (await browserFor("accountant").fetch("/admin")).text();
    expect(page).toContain("View Orders");
    // The overview's figures are left out, because they have a line “Discounts”.
    const html = page.replace(/<main.*<\/main>/s, "");
    expect(html).toContain(">Money<");
    for (const label of ["Manage Products", "Marketing", "Reviews", "Shop", "System"]) {
      expect(html).not.toContain(`>${label}<`);
    }
    const books = await (await browserFor("accountant").fetch("/admin/books")).text();
    expect(findTabs(books, "Money")).toEqual(["Accountant", "Money check", "Giving"]);
    const texts = await (await browserFor("staff").fetch("/admin/content/menu")).text();
    expect(findTabs(texts, "Shop")).toEqual(["Texts", "Menu", "Emails"]);
  });

  test("show a role with few entries all of them in the phone's bar, and count only work that the role may do", async () => {
    const overview = await (await browserFor("accountant").fetch("/admin")).text();
    expect(findTabs(overview, "Admin sections")).toEqual(["Overview", "View Orders", "Money", "More"]);
    const { data: counts } = (await browserFor("packer").get("/api/admin/counts")).body;
    expect(counts).toMatchObject({ openReturns: 1, attention: expect.toSatisfy((count) => count > 0) });
    const countsOn = async (role: Role) => {
      const html = await (await browserFor(role).fetch("/admin/orders?status=to_ship")).text();
      const [, nav = ""] = /<nav aria-label="Admin sections".*?>(.*?)<\/nav>/s.exec(html) ?? [];
      return [...nav.matchAll(/>(\d+)<span class="sr-only"> /g)].map(([, count]) => Number(count));
    };
    expect(await countsOn("packer")).toEqual([counts.ordersToShip]);
    expect(await countsOn("accountant")).toEqual([]);
  });

  test("keep the menu at an unknown path, and lead from an unknown record back to its list", async () => {
    const unknown = await browserFor("owner").fetch("/admin/no-such-page", {
      headers: { Accept: "text/html" },
    });
    expect(unknown.status).toBe(404);
    const html = await unknown.text();
    expect(html).toContain("There is nothing at this address");
    expect(html).toContain("404 Page Not Found</h1>");
    expect(findTabs(html, "All admin sections")).toContain("Overview");
    expect((await shop.browser().fetch("/admin/no-such-page")).status).toBe(404);
    const product = await (await browserFor("owner").fetch("/admin/products/999")).text();
    expect(/<main.*<\/main>/s.exec(product)?.[0]).toContain('href="/admin/products"');
  });

  test("show a packer only Ship next and Orders, and the owner all eleven entries", async () => {
    const packing = await (await browserFor("packer").fetch("/admin/orders?status=to_ship")).text();
    expect(findTabs(packing, "All admin sections")).toEqual(["Ship next", "View Orders"]);
    const overview = await (await browserFor("owner").fetch("/admin")).text();
    expect(findTabs(overview, "All admin sections")).toEqual([
      "Overview",
      "View Orders",
      "Messages",
      "Manage Products",
      "Customers",
      "Marketing",
      "Reviews",
      "Money",
      "Shop",
      "Notification Settings",
      "System",
    ]);
  });
});

/** Names of the links in a navigation of a page's HTML, as screen readers say them. */
function findTabs(html: string, navigation: string): string[] {
  const [, nav = ""] = new RegExp(`<nav aria-label="${navigation}".*?>(.*?)</nav>`, "s").exec(html) ?? [];
  return [...nav.matchAll(/<a .*?<\/a>/gs)].map(([link]) =>
    link
      .replace(/<span aria-hidden="true">.*?<\/span>/g, "")
      .replace(/<span[^>]*>\d+\+?<span.*?<\/span><\/span>/g, "")
      .replace(/<[^>]+>/g, "")
      .trim(),
  );
}

describe("a packer", () => {
  const fetchOrder = async (role: Role, id: string) => browserFor(role).get(`/api/admin/orders/${id}`);

  test("sees address and contents of a parcel, but no amounts", async () => {
    const { body: ownerResponse } = await fetchOrder("owner", filledShop.orders.paid);
    const { body: packerResponse } = await fetchOrder("packer", filledShop.orders.paid);
    const fullOrder = ownerResponse.data;
    expect(packerResponse.data).toMatchObject({
      number: fullOrder.number,
      customerName: fullOrder.customerName,
      shipping: fullOrder.shipping,
      email: "",
      refunds: [],
      payment: null,
      paidWith: "",
      // Hashes of address and amounts are hidden, because they would confirm a guess.
      contactVersion: "",
      itemsVersion: "",
    });
    expect(packerResponse.data.items[0]).toMatchObject({
      name: fullOrder.items[0].name,
      quantity: fullOrder.items[0].quantity,
    });
    // The remaining numbers are counts; a new numeric field has to be added to `countFields`, or hidden.
    expect([...new Set(findNumberFields(packerResponse).map(([key]) => key))].sort()).toEqual(
      [...new Set(findNumberFields(packerResponse).map(([key]) => key))]
        .filter((key) => countFields.has(key))
        .sort(),
    );
    expect(JSON.stringify(packerResponse)).not.toMatch(/\$\d/);
    const { body: list } = await browserFor("packer").get("/api/orders?status=all");
    expect(list.data.length).toBeGreaterThan(0);
    const amounts = findNumberFields(list).filter(([key]) => !countFields.has(key));
    expect(amounts).toEqual([]);
    expect(list.data.every(({ delivery }: { delivery: string }) => delivery === "to_ship")).toBe(true);
    expect(JSON.stringify(list)).not.toContain("@");
    // A column of zeros would be wrong.
    const page = await (await browserFor("packer").fetch("/admin/orders?status=to_ship")).text();
    const headers = [...page.matchAll(/<th [^>]*scope="col".*?<\/th>/gs)].join();
    expect(headers).toContain("Ship to");
    expect(headers).not.toContain("Amount");
  });

  test("sees no amounts of an exchange either", async () => {
    const buyer = shop.browser();
    const checkout = await order(buyer, { email: "exchanges@example.com", quantity: 2 });
    await confirm(buyer, checkout);
    await shop.jobsDone();
    const { orderId } = checkout.body;
    const [unit, units] = [1, 2].map((quantity) => [{ productId: 1, quantity }]);
    const path = `/api/admin/orders/${orderId}/exchange`;
    const exchange = await browserFor("owner").post(path, { returned: unit, items: units });
    expect(exchange.status, JSON.stringify(exchange.body)).toBe(201);
    const { body } = await fetchOrder("packer", orderId);
    expect(body.data.exchanges).toHaveLength(1);
    expect(findNumberFields(body).filter(([key]) => !countFields.has(key))).toEqual([]);
  });

  test("sees only orders to pack, and cannot override a hold", async () => {
    expect((await fetchOrder("packer", filledShop.orders.unpaid)).status).toBe(404);
    expect((await fetchOrder("accountant", filledShop.orders.unpaid)).status).toBe(200);
    const unpaid = filledShop.orders.unpaid;
    expect((await browserFor("packer").get(`/api/admin/packing/${unpaid}`)).status).toBe(404);
    const undo = `/api/admin/orders/${unpaid}/shipments/${unpaid}/undo`;
    expect((await browserFor("packer").post(undo)).status).toBe(404);
    const forced = { carrier: "DHL", trackingNumber: "3318810025", force: true, reason: "It is fine" };
    const { status } = await browserFor("packer").post(
      `/api/admin/orders/${filledShop.orders.disputed}/ship`,
      forced,
    );
    expect(status).toBe(403);
    const page = await browserFor("packer").fetch(`/orders/${filledShop.orders.paid}`);
    expect(page.status).toBe(404);
  });

  test("finds an order by the fields that a packer sees, and by no others", async () => {
    const search = async (role: Role, q: string) =>
      (await browserFor(role).get(`/api/orders?status=to_ship&q=${encodeURIComponent(q)}`)).body.data.map(
        ({ orderId }: { orderId: string }) => orderId,
      );
    const { orderId, orderNumber, paymentIntentId } = discountedOrder;
    for (const q of ["hidden@example.com", "hidden@", "idden", "THANKS20", "thanks", paymentIntentId]) {
      expect([q, (await search("staff", q)).includes(orderId)]).toEqual([q, true]);
      expect([q, await search("packer", q)]).toEqual([q, []]);
    }
    for (const q of [`#${orderNumber}`, "Obi", "Austin", orderId.slice(0, 8)]) {
      expect([q, (await search("packer", q)).includes(orderId)]).toEqual([q, true]);
    }
    const { body } = await browserFor("packer").get("/api/orders?status=to_ship");
    expect(JSON.stringify(body)).not.toContain("pi_");
    expect((await browserFor("packer").get("/api/admin/find?q=Obi")).status).toBe(403);
  });

  test("can report a problem: the order is put on hold, and has an issue until the hold ends", async () => {
    const { orderId: id, orderNumber } = discountedOrder;
    const report = (role: Role, reason = "A bottle is broken") =>
      browserFor(role).post(`/api/admin/orders/${id}/problem`, { reason });
    expect((await report("accountant")).status).toBe(403);
    expect((await report("packer", "  ")).body.error).toBe("validation_failed");
    const reports = await Promise.all([report("packer"), report("packer")]);
    expect(reports.map(({ status }) => status)).toEqual([200, 200]);
    const order = (await fetchOrder("owner", id)).body.data;
    expect(order).toMatchObject({ shipHold: "owner", hold: { reason: "A bottle is broken" } });
    expect(order.events.at(-1)).toMatchObject({
      by: "packer",
      note: "Something is wrong: A bottle is broken",
    });
    const readOpenIssues = async () =>
      (await browserFor("owner").get("/api/admin/attention")).body.data.filter(
        ({ orderId }: { orderId: string }) => orderId === id,
      );
    expect(await readOpenIssues()).toMatchObject([{ kind: "packing_problem", orderNumber }]);
    expect((await readOpenIssues())[0].message).toContain(
      `packer reported a problem while packing order #${orderNumber}: `,
    );
    await shop.jobsDone();
    const mail = (await browserFor("owner").get(`/api/admin/outbox?kind=owner_attention&q=${orderNumber}`))
      .body.data;
    expect(mail).toHaveLength(1);
    const ids = (await browserFor("packer").get("/api/orders?status=to_ship")).body.data.map(
      ({ orderId }: { orderId: string }) => orderId,
    );
    expect(ids).not.toContain(id);
    const parcel = { carrier: "DHL", trackingNumber: "3318810026" };
    expect((await browserFor("packer").post(`/api/admin/orders/${id}/ship`, parcel)).status).toBe(409);
    const release = async (reason?: string) => {
      const body = { held: false, reason };
      const { status } = await browserFor("owner").post(`/api/admin/orders/${id}/hold`, body);
      return [status, (await fetchOrder("owner", id)).body.data.events.at(-1).note];
    };
    expect(await release("A new bottle is in")).toEqual([200, "Taken off hold: A new bottle is in"]);
    expect(await readOpenIssues()).toEqual([]);
    // A problem may be reported again.
    expect((await report("packer")).status).toBe(200);
    expect(await readOpenIssues()).toHaveLength(1);
    // The panel asks for a reason, but the API does not require one.
    expect(await release()).toEqual([200, "Taken off hold"]);
    expect((await report("packer", "Late")).status).toBe(200);
    const shippedReport = await browserFor("packer").post(
      `/api/admin/orders/${filledShop.orders.shipped}/problem`,
      {
        reason: "Too late",
      },
    );
    expect(shippedReport.body.error).toBe("invalid_state");
  });
});

/** Numeric fields that hold counts or ids; all other numbers are amounts. */
const countFields = new Set(
  "number productId quantity returned toShip units created to_ship returns attention problems shipped position".split(
    " ",
  ),
);

/** Fields of a response with numbers other than 0. */
function findNumberFields(value: unknown, key = ""): [string, number][] {
  if (typeof value === "number") return value === 0 ? [] : [[key, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, item]) =>
    findNumberFields(item, Array.isArray(value) ? key : field),
  );
}

/** A shop context in which a person with this role is signed in. */
function roleContext(role: Role): ShopContext {
  const admin = { sessionId: "session-1", role, person: null, confirmedAt: new Date() };
  return {
    ...shop.ctx,
    limits: { take: async () => null, takeFrom: async () => null } as never,
    sessions: { viewer: async () => ({ visitorId: null, admin }) } as never,
    activity: { begin: async () => ({ end: async () => {} }) },
    changes: { ...shop.ctx.changes, waitUntilCaughtUp: async () => {} },
  };
}

function routePatterns(entries: RouteConfigEntry[], parent: string): string[] {
  return entries.flatMap(({ path = "", index, file, children = [] }) => {
    const address = path === "" ? parent : `${parent}/${path}`;
    const ownPath = (index || path !== "") && !file.includes("shell/") ? [address || "/"] : [];
    return [...new Set([...ownPath, ...routePatterns(children, address)])];
  });
}
