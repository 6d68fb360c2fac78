import type { Order, OrderSummary } from "../domain/order.ts";
import type { Product } from "../domain/product.ts";
import type { ReviewPage } from "../domain/review.ts";
import type { ShopSettings } from "../domain/settings.ts";
import type { Viewer } from "./platform/viewer.ts";

/** The door: all that pages may ask of the shop. Commands for the API live in each feature's `api.ts`. */
export type Shop = {
  /** What every page's frame needs; the same for everybody. */
  frame: {
    provider: "stripe" | "sandbox";
    publishableKey: string | null;
    publicUrl: string;
    development: boolean;
  };
  settings(): Promise<ShopSettings>;
  products(): Promise<Product[]>;
  productBySlug(slug: string): Promise<Product | null>;
  reviews(page: { productId?: number; limit: number; cursor?: string }): Promise<ReviewPage>;
  /** Newest first. */
  ordersOf(viewer: Viewer): Promise<OrderSummary[]>;
  /** The order, to its owner, an admin, or the bearer of its e-mailed link; else null. */
  orderFor(viewer: Viewer, orderId: string, linkToken: string | null): Promise<Order | null>;
  /**
   * The viewer's order behind a payment intent or checkout session id, after asking the provider if it is still
   * unpaid; null for strangers. `payment` tells what a waiting shopper should read.
   */
  paidOrder(
    viewer: Viewer,
    sessionId: string,
  ): Promise<{ order: Order; payment: "paid" | "processing" | "unpaid" } | null>;
  /** Whether a "find my order" link can still be used; does not use it up. */
  isLookupUsable(token: string): Promise<boolean>;
};

export type { Viewer };
