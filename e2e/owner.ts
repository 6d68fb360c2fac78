import type { APIRequestContext, Locator, Page } from "playwright-core";
import { expect, vi } from "vitest";
import { checkoutBody, goodCard } from "../test/checkout.ts";
import { patienceMs } from "../test/patience.ts";
import { shopHere } from "./shop-here.ts";
import { at, openShopper, type Shopper, type Size } from "./shopper.ts";

/** A browser in which the panel is unlocked. */
export async function openOwner(options: { size?: Size; keepsPages?: boolean } = {}): Promise<Shopper> {
  const owner = await openShopper(options);
  const { accessCode } = shopHere();
  const response = await owner.context.request.post(at("/api/admin/verify"), { data: { accessCode } });
  expect(response.status()).toBe(200);
  return owner;
}

let session: Promise<string> | null = null;

/** Calls the API as the owner, to set up a test. Returns the response's data; throws unless the call succeeded. */
export async function asOwner<T = unknown>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<T> {
  const call = async () => {
    session ??= unlock();
    return fetch(at(path), {
      method,
      headers: { "Content-Type": "application/json", Cookie: await session },
      ...(body && { body: JSON.stringify(body) }),
    });
  };
  let response = await call();
  // The session may belong to the shop of another test file, or the confirmation of the owner's identity may have expired.
  if (response.status === 401 || response.status === 403) {
    session = null;
    response = await call();
  }
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return ((await response.json()) as { data: T }).data;
}

async function unlock(): Promise<string> {
  const response = await fetch(at("/api/admin/verify"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ accessCode: shopHere().accessCode }),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** `intentId` is the payment's id in the success page's URL. */
export type PaidOrder = { orderId: string; number: number; intentId: string };

/** Places and pays an order by API calls, with the browser's cookies. */
export async function buy(
  request: APIRequestContext,
  overrides: Parameters<typeof checkoutBody>[0] = {},
): Promise<PaidOrder> {
  const orderResponse = await request.post(at("/api/stripe/create-payment-intent"), {
    data: checkoutBody(overrides),
  });
  expect(orderResponse.status(), await orderResponse.text()).toBe(201);
  const { orderId, orderNumber, paymentIntentId, clientSecret } = await orderResponse.json();
  await request.post(at(`/api/sandbox/payment-intents/${paymentIntentId}/confirm`), {
    data: { clientSecret, card: goodCard },
  });
  await vi.waitFor(async () => {
    const { data } = await (await request.get(at(`/api/orders/${orderId}`))).json();
    expect(data.status).toBe("completed");
  }, patienceMs);
  return { orderId, number: orderNumber, intentId: paymentIntentId };
}

/** Waits for the toast with these words. */
export async function waitForToast(page: Page, words: string | RegExp): Promise<void> {
  await page
    .getByRole("region", { name: /^Notifications/ })
    .getByText(words)
    .first()
    .waitFor();
}

/** Presses Tab until `target` has the focus, and sees its focus ring. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Found once: finding a button by its name reads the whole page.
  const element = await target.elementHandle();
  for (let step = 0; step < 120; step += 1) {
    if (await page.evaluate((targetElement) => targetElement === document.activeElement, element)) {
      await expect.poll(() => ringProblem(page), { message: `${target}` }).toBe(null);
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Why the focus is not visible: the focused element has no ring, is off the screen, or is covered; null if it is visible. */
function ringProblem(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    if (!element) return "nothing has the focus";
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) return "no ring";
    const [{ left, top, width, height } = new DOMRect()] = element.getClientRects();
    const topElement = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
    return topElement && (element.contains(topElement) || topElement.contains(element))
      ? null
      : "covered or off the screen";
  });
}

/** The actions of `countTaps` by keyboard alone. */
export function byKeyboard(page: Page): Omit<ReturnType<typeof countTaps>, "taps"> {
  const { keyboard } = page;
  const type = async (field: Locator, text: string) => {
    await tabTo(page, field);
    await keyboard.press("ControlOrMeta+A");
    await keyboard.type(text);
  };
  return {
    press: async (target) => {
      await tabTo(page, target);
      await keyboard.press("Enter");
    },
    fill: type,
    choose: type,
  };
}

/** Counts taps on a phone: each press, filled field and chosen option is one tap. */
export function countTaps() {
  let taps = 0;
  return {
    press: async (target: Locator) => {
      taps += 1;
      await target.click();
    },
    fill: async (field: Locator, text: string) => {
      taps += 1;
      await field.fill(text);
    },
    choose: async (list: Locator, label: string) => {
      taps += 1;
      await list.selectOption({ label });
    },
    taps: () => taps,
  };
}
