import { afterAll, describe, expect, test } from "vitest";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";

const shop = await openTestShop();
afterAll(() => shop.stop());

const forms = ["/checkout", "/contact", "/contact-simple", "/reviews/new", "/orders", "/account"];

function sendForm(browser: TestBrowser, path: string, fields: Record<string, string>): Promise<Response> {
  return browser.fetch(path, { method: "POST", body: new URLSearchParams(fields) });
}

describe("a form sent without JavaScript", () => {
  const unknownId = "00000000-0000-4000-8000-000000000000";
  test.each([
    ...forms.map((path) => [path, 422] as const),
    [`/orders/${unknownId}`, 404] as const,
    [`/pay/${unknownId}`, 404] as const,
  ])("to %s with a body that is not a form gets %s", async (path, status) => {
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x"]) {
      const init = { method: "POST", body: "{}", headers: { "Content-Type": type } };
      expect((await shop.browser().fetch(path, init)).status, type).toBe(status);
    }
  });

  test.each(forms)("to %s from another site is refused", async (path) => {
    const init = {
      method: "POST",
      body: "email=a%40example.com",
      headers: { Origin: "https://evil.example" },
    };
    expect((await shop.browser().fetch(path, init)).status).toBe(403);
  });

  test("above the rate limit gets a response with Retry-After", async () => {
    const browser = shop.browser();
    const requestLink = () => sendForm(browser, "/orders", { email: "nobody@example.com" });
    for (let time = 0; time < 5; time += 1) expect((await requestLink()).status).toBe(303);
    const refused = await requestLink();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("never redirects to another site after a vote for a review", async () => {
    const vote = (path: string) =>
      shop.browser().fetch("/reviews/helpful", {
        method: "POST",
        body: new URLSearchParams({ id: "1" }),
        headers: { Referer: new URL(shop.ctx.config.publicUrl).origin + path },
        redirect: "manual",
      });
    const leadsTo = async (path: string) => (await vote(path)).headers.get("location");
    expect(await leadsTo("/reviews?stars=5")).toBe("/reviews?stars=5#reviews");
    expect(await leadsTo("//evil.example/reviews")).toBe("/reviews");
    expect(await leadsTo("/\\evil.example/reviews")).toBe("/reviews");
  });

  test("to a page without a form is refused with the allowed methods", async () => {
    const refused = await sendForm(shop.browser(), "/story", {});
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("is not logged as an error when aborted", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("email=a"));
        controller.error(new Error("aborted"));
      },
    });
    const { length } = shop.logLines;
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", body, headers, duplex: "half" };
    const response = await shop.browser().fetch("/contact", init);
    expect(response.status).toBe(499);
    const logEntries = shop.logLines.slice(length).map((line) => JSON.parse(line));
    expect(logEntries.filter(({ level }) => level >= 40)).toEqual([]);
    const metrics = await (await shop.app.request("/metrics")).text();
    expect(metrics).toMatch(/route="page",status="499"/);
  });
});
