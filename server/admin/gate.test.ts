import type { RouteConfigEntry } from "@react-router/dev/routes";
import { afterAll, describe, expect, test } from "vitest";
import routes from "../../app/routes.ts";
import { buyBottle, postReview } from "../../test/reviews.ts";
import { openTestShop } from "../../test/shop.ts";
import type { AnyApiRow, ApiCall } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { checkInput, passGate } from "../http/gate.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";

/** Marks private data that no response of the panel may contain without a session. */
const privateMarker = "Marker Nobodysbusiness";

const shop = await openTestShop();
const buyer = shop.browser();
await buyBottle(shop, buyer);
await postReview(buyer, { customerName: privateMarker });
await buyer.post("/api/contact", {
  name: privateMarker,
  email: "marker@example.com",
  subject: "other",
  message: `${privateMarker} has a question`,
});
afterAll(() => shop.stop());

const adminRows = () => shop.api.filter(({ access }) => access === "admin");
const changingRows = () => adminRows().filter(({ method, onlyReads }) => method !== "GET" && !onlyReads);
const callName = ({ method, path }: AnyApiRow) => `${method} ${path}`;
const examplePath = ({ path }: AnyApiRow) => path.replace(/:\w+/g, "7");

async function call(row: AnyApiRow, headers: Record<string, string> = {}) {
  const response = await shop.browser().fetch(examplePath(row), {
    method: row.method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(row.method === "GET" ? {} : { body: "{not json" }),
  });
  return { status: response.status, text: await response.text() };
}

describe("API calls", () => {
  test("under /api/admin and some others require an admin session, except for signing in and out", () => {
    const openRows = shop.api.filter(
      ({ path, access }) => path.startsWith("/api/admin") && access !== "admin",
    );
    expect(openRows.map(callName).sort()).toEqual([
      "GET /api/admin/invitation",
      "GET /api/admin/session",
      "POST /api/admin/invitation",
      "POST /api/admin/logout",
      "POST /api/admin/passkey",
      "POST /api/admin/passkey/question",
      "POST /api/admin/verify",
    ]);
    const otherRows = adminRows().filter(({ path }) => !path.startsWith("/api/admin"));
    expect(otherRows.map(callName).sort()).toEqual([
      "DELETE /api/notifications/sms-settings",
      "DELETE /api/reviews/:id",
      "GET /api/notifications/sms-settings",
      "GET /api/orders",
      "POST /api/notifications/sms-settings",
      "POST /api/notifications/test-sms",
      "PUT /api/products/:id/price",
    ]);
  });

  test("for the admin are refused without a session, before their input is validated", async () => {
    expect(adminRows().length).toBeGreaterThan(10);
    for (const row of adminRows()) {
      const { status, text } = await call(row);
      expect([callName(row), status, JSON.parse(text).error]).toEqual([callName(row), 401, "unauthorized"]);
    }
  });

  test("are refused from another site if they change something", async () => {
    for (const row of shop.api.filter(({ method, access }) => method !== "GET" && access !== "provider")) {
      const { status } = await call(row, { Origin: "https://elsewhere.example" });
      expect([callName(row), status]).toEqual([callName(row), 403]);
    }
  });

  test("are recorded in the activity log with caller and outcome if they change something in the panel", async () => {
    const change: LoggedChange = { subject: "product:1", summary: "Something changed" };
    for (const row of changingRows()) {
      const entries: unknown[] = [];
      const stubRow: AnyApiRow = {
        ...row,
        params: undefined,
        query: undefined,
        body: undefined,
        response: undefined,
        upload: undefined as never,
        async handle(_ctx: ShopContext, { log }: ApiCall) {
          log(change);
          return { status: 200, body: {} };
        },
      };
      const caller = {
        headers: new Headers(),
        pathParams: {},
        address: "127.0.0.1",
        isOriginAllowed: true,
        isFromOtherSite: false,
      };
      await passGate(adminContext(entries), stubRow, caller, () => checkInput(stubRow, {}));
      expect([callName(row), entries]).toEqual([
        callName(row),
        [["session-1", callName(row), "done", change]],
      ]);
    }
  });

  test("add a description to the activity log if they change something in the panel", () => {
    const rowsWithoutLog = changingRows().filter(({ handle }) => !/\b(log|call)\b/.test(String(handle)));
    expect(rowsWithoutLog.map(callName)).toEqual([]);
    // These only read; they are POST because their input is too long for a URL.
    const readingRows = adminRows().filter(({ onlyReads }) => onlyReads);
    expect(readingRows.map(callName).sort()).toEqual([
      "POST /api/admin/campaigns/check",
      "POST /api/admin/content/:key/check",
      "POST /api/admin/drafts/preview",
      "POST /api/admin/email-texts/:kind/check",
      "POST /api/admin/imports/check",
      "POST /api/admin/menu/check",
      "POST /api/admin/orders/:id/exchange/preview",
      "POST /api/admin/orders/:id/items/preview",
      "POST /api/admin/orders/:id/label-address",
      "POST /api/admin/orders/:id/label-rates",
      "POST /api/admin/tracking/check",
      "POST /api/admin/tracking/match",
    ]);
  });
});

/** A context that treats every caller as the admin and collects the activity log's entries. */
function adminContext(entries: unknown[]): ShopContext {
  return {
    ...shop.ctx,
    limits: { take: async () => null, takeFrom: async () => null } as never,
    sessions: {
      viewer: async () => ({
        visitorId: null,
        admin: { sessionId: "session-1", role: "owner", person: null, confirmedAt: new Date() },
      }),
    } as never,
    activity: {
      begin: async ({ row, admin }) => ({
        end: async (outcome, change) => {
          entries.push([admin?.sessionId, `${row.method} ${row.path}`, outcome, change]);
        },
      }),
    },
  };
}

describe("pages of the panel", () => {
  // Invited people sign up at /admin/join, so it needs no session.
  const pages = pagePaths(routes, "").filter((path) => /^\/admin(\/(?!join$)|$)/.test(path));

  test("include every tab of the panel", () => {
    expect(pages.length).toBeGreaterThan(11);
  });

  test.each(pages)("show a stranger at %s only the sign-in form", async (path) => {
    const page = await shop.browser().fetch(path, { headers: { Accept: "text/html" } });
    const html = await page.text();
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(html).toContain("Access code");
    expect(html).not.toContain("Admin sections");
    expect(html).not.toContain(privateMarker);

    const data = await shop.browser().fetch(`${path}.data`);
    const text = await data.text();
    expect(text).not.toContain(privateMarker);
    const adminData = Object.entries(decodeLoaderData(text)).filter(([route]) =>
      route.startsWith("routes/admin"),
    );
    // A page of an unknown record may load an empty list.
    const leaks = adminData.filter(([, { data }]) => data !== null && JSON.stringify(data) !== "[]");
    expect(leaks).toEqual([]);
    expect(adminData).not.toEqual([]);
  });
});

/** The paths of pages, with 7 for each parameter. */
function pagePaths(entries: RouteConfigEntry[], parent: string): string[] {
  return entries.flatMap(({ path = "", index, file, children = [] }) => {
    const pagePath = path === "" ? parent : `${parent}/${path.replace(/:\w+\??/g, "7")}`;
    const ownPath = (index || path !== "") && !file.includes("shell/") ? [pagePath || "/"] : [];
    return [...new Set([...ownPath, ...pagePaths(children, pagePath)])];
  });
}

/** A page's loader data by route. React Router sends one array; numbers in it are indexes of its values. */
function decodeLoaderData(text: string): Record<string, { data: unknown }> {
  const values: unknown[] = JSON.parse(text.split("\n")[0] ?? "");
  const resolve = (index: number): unknown => {
    if (index < 0) return null;
    const value = values[index];
    if (Array.isArray(value)) return value.map((item) => (typeof item === "number" ? resolve(item) : item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [values[Number(key.slice(1))], resolve(Number(item))]),
    );
  };
  return resolve(0) as Record<string, { data: unknown }>;
}
