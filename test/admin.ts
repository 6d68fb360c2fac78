import type { ApiResponse, TestBrowser, TestShop } from "./shop.ts";

/** A browser in which the panel is unlocked. */
export async function adminBrowser(shop: TestShop): Promise<TestBrowser> {
  const browser = shop.browser();
  await browser.post("/api/admin/verify", { accessCode: "open-sesame-1234" });
  return browser;
}

/** Makes a call with a body and another method than POST. */
export async function send(
  browser: TestBrowser,
  method: "PATCH" | "DELETE" | "PUT",
  path: string,
  body: unknown = {},
): Promise<Pick<ApiResponse, "status" | "body">> {
  const headers = { "Content-Type": "application/json" };
  const response = await browser.fetch(path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

/** Yesterday and today in UTC, so that a test's data is included even if midnight passes during the test. */
export function lastTwoDays(): { from: string; to: string } {
  const [from = "", to = ""] = [Date.now() - 86_400_000, Date.now()].map((time) =>
    new Date(time).toISOString().slice(0, 10),
  );
  return { from, to };
}
