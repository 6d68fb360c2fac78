import { reviews } from "../server/reviews/tables.ts";
import { settings } from "../server/settings/tables.ts";
import { confirm, order } from "./checkout.ts";
import { patienceMs } from "./patience.ts";
import type { ApiResponse, TestBrowser, TestShop } from "./shop.ts";

export const kindReview = {
  productId: 1,
  rating: 5,
  comment: "My hair loves this oil.",
  customerName: "Ada O.",
};

export function postReview(browser: TestBrowser, changes: object = {}): Promise<ApiResponse> {
  return browser.post("/api/reviews", { ...kindReview, ...changes });
}

/** Adds published reviews without a writer, one per rating, oldest first; returns their ids. */
export async function insertReviews(shop: TestShop, ...ratings: number[]): Promise<number[]> {
  const rows = ratings.map((rating, index) => ({
    productId: 1,
    rating,
    comment: `Review number ${index}`,
    status: "published" as const,
  }));
  const inserted = await shop.database.db.insert(reviews).values(rows).returning({ id: reviews.id });
  return inserted.map(({ id }) => id);
}

/** Makes new reviews wait for approval; resolves once the shop uses the setting. */
export async function holdReviews(shop: TestShop): Promise<void> {
  const value = { publish: "hold", requestAfterDeliveredDays: 10, requestAfterShippedDays: 14 };
  await shop.database.db.insert(settings).values({ key: "reviews", value });
  for (
    const deadline = Date.now() + patienceMs;
    Date.now() < deadline;
    await new Promise((r) => setTimeout(r, 5))
  ) {
    if ((await shop.shop.settings()).reviews.publish === "hold") return;
  }
  throw new Error("the shop did not load the changed settings");
}

/** Buys one bottle; returns the order's id. */
export async function buyBottle(shop: TestShop, browser: TestBrowser): Promise<string> {
  const started = await order(browser);
  await confirm(browser, started);
  await shop.jobsDone();
  return started.body.orderId;
}
