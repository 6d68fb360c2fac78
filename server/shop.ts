import type { Logger } from "pino";
import * as v from "valibot";
import type { Account, DataLink } from "../domain/account.ts";
import type { Giving } from "../domain/giving.ts";
import type { Order, OrderSummary } from "../domain/order.ts";
import { noActions, type OrderActions, orderActions } from "../domain/order-actions.ts";
import { e164 } from "../domain/phone.ts";
import { heroProductSlug, type Product } from "../domain/product.ts";
import {
  type RatingSummary,
  type ReviewInvitation,
  type ReviewListing,
  type ReviewPage,
  summarizeRatings,
  sumRatingCounts,
} from "../domain/review.ts";
import type { OwnerSettings, ShopSettings } from "../domain/settings.ts";
import { pictureSizes, thumbnailOf } from "./catalog/image-variants.ts";
import {
  findSellable,
  listProductNames,
  listProducts,
  listWithdrawnSlugs,
  type ProductName,
} from "./catalog/queries.ts";
import { listMovedSlugs } from "./catalog/slugs.ts";
import type { CheckoutParts } from "./checkout/parts.ts";
import { type PricedQuote, type QuoteInput, quoteCart } from "./checkout/quote.ts";
import { dropReminder } from "./checkout/reminders.ts";
import { askForDiscount } from "./discounts/queries.ts";
import { announceAttention, announceOrderPaid } from "./notifications/commands.ts";
import { unsubscribeKind } from "./notifications/optouts.ts";
import { announceRefunded } from "./notifications/order-news.ts";
import type { OptionalKind } from "./notifications/tables.ts";
import { orderNews } from "./order-news.ts";
import { readAccount } from "./orders/account.ts";
import { readGiving } from "./orders/giving.ts";
import { isOrderLinkTokenValid } from "./orders/link-token.ts";
import { findLookup } from "./orders/lookup.ts";
import { findOrder, findOrderByPayment, findOrderOfVisitor, listOrdersOf } from "./orders/queries.ts";
import { attentionOf } from "./payments/flags.ts";
import { type PaymentProvider, ProviderRefused, ProviderUnavailable } from "./payments/provider.ts";
import { refreshPayment } from "./payments/refresh.ts";
import type { SandboxCheckout, SandboxProvider } from "./payments/sandbox.ts";
import type { ChangeFeed } from "./platform/change-feed.ts";
import type { Config } from "./platform/config.ts";
import type { Database } from "./platform/database.ts";
import { keptFor } from "./platform/kept.ts";
import type { Viewer } from "./platform/viewer.ts";
import { findInvitation } from "./reviews/invitation.ts";
import { listReviews } from "./reviews/queries.ts";
import { readSettings } from "./settings/queries.ts";

/** The door: all that pages may ask of the shop. Calls of the API live in each feature's `api.ts`. */
export type Shop = {
  /** What every page's frame needs; the same for everybody. */
  frame: {
    provider: "stripe" | "sandbox";
    publishableKey: string | null;
    publicUrl: string;
    development: boolean;
  };
  /** Logs what went wrong while a page was made. */
  report(error: unknown): void;
  settings(): Promise<ShopSettings>;
  products(): Promise<Product[]>;
  /** Their names alone, which hardly ever change: a page that shows no more need not be made anew with every sale. */
  productNames(): Promise<ProductName[]>;
  /** What was given so far, at most a minute old. */
  giving(): Promise<Giving>;
  /** Capitals in `slug` count as small letters. */
  productBySlug(slug: string): Promise<Product | null>;
  /** Whether there is a product of this name that is not on show. */
  isWithdrawn(slug: string): Promise<boolean>;
  /** The product of this address, or of one that it had before. */
  findProduct(slug: string): Promise<Product | null>;
  /** The one that the home page sells, under whatever address it has by now. */
  heroProduct(): Promise<Product | null>;
  reviews(listing: ReviewListing): Promise<ReviewPage>;
  /** What the reviews of all products on show come to. */
  ratingSummary(): Promise<RatingSummary>;
  /** What an e-mailed review link stands for; null for one that proves nothing (any more). */
  reviewInvitation(token: string): Promise<ReviewInvitation | null>;
  /** Newest first. */
  ordersOf(viewer: Viewer): Promise<OrderSummary[]>;
  /** The order, to its owner, an admin, or the bearer of its e-mailed link; else null. */
  orderFor(viewer: Viewer, orderId: string, linkToken: string | null): Promise<ShownOrder | null>;
  /** The same for its buyer alone: the visitor who owns it, or the bearer of its e-mailed link. */
  orderOfBuyer(viewer: Viewer, orderId: string, linkToken: string | null): Promise<ShownOrder | null>;
  /**
   * The viewer's order behind a payment intent or checkout session id, after asking the provider if it is still
   * unpaid; null for strangers. `payment` tells what a waiting shopper should read.
   */
  paidOrder(viewer: Viewer, sessionId: string): Promise<{ order: Order; payment: PaymentState } | null>;
  /** The kind of e-mail that an unsubscribe link would end; null for one that is not ours. Ends nothing. */
  unsubscribeKind(token: string): OptionalKind | null;
  /** Whether a "find my order" link can still be used; does not use it up. */
  isLookupUsable(token: string): Promise<boolean>;
  /** What a link to a person's data is for; null for one that cannot be used (any more). Does not use it up. */
  dataLink(token: string): Promise<DataLink | null>;
  /** The visitor's own orders and addresses; null for a browser without any. */
  account(viewer: Viewer): Promise<Account | null>;
  /** What the hosted payment page of the sandbox needs; null for strangers and where cards are real. */
  sandboxCheckout(viewer: Viewer, sessionId: string): Promise<SandboxCheckout | null>;
};

export type PaymentState = "paid" | "processing" | "unpaid";
/** With what its buyer may do with it now, nothing for others; `needsAttention` is there for admins only. */
export type ShownOrder = Order & { actions: OrderActions; needsAttention?: string | null };
export type { Viewer };

const givingKeptMs = 60_000;

export type ShopParts = {
  config: Config;
  db: Database;
  log: Logger;
  provider: PaymentProvider;
  sandbox: SandboxProvider | null;
  changes: ChangeFeed;
  /** Signs the order links in e-mails. */
  linkSecret: string;
  development: boolean;
  now(): Date;
};

/** Puts the features together for pages and for the API. Decides nothing itself. */
export function createShop(parts: ShopParts): {
  shop: Shop;
  checkout: CheckoutParts;
  quote: Quote;
  ownerSettings(): Promise<OwnerSettings>;
} {
  const { changes, config, db, now, provider } = parts;
  const allSettings = changes.cached(["settings"], () => readSettings(db));
  const settings = async () => (await allSettings()).shop;
  const ownerSettings = async () => (await allSettings()).owner;
  // Views are no reason to make a page anew: the next minute will do (see page-cache.ts).
  const listed = changes.cached(
    ["catalog", "stock", "views", "reviews"],
    () => listProducts(db, pictureSizes),
    ["catalog", "stock"],
  );
  const products = () => {
    changes.note("reviews");
    return listed();
  };
  const withdrawn = changes.cached(["catalog"], () => listWithdrawnSlugs(db));
  const moved = changes.cached(["catalog"], () => listMovedSlugs(db));
  const thumbnail = thumbnailOf;
  const checkout: CheckoutParts = {
    db,
    provider,
    log: parts.log,
    now,
    announce: {
      // Kept in memory until it changes: booking a payment asks the database for nothing more. While no change would be
      // heard of, it is read on the booking's own connection: if all of them waited for another one, none would get it.
      orderPaid: async (tx, orderId) => {
        const owner = changes.isListening() ? await ownerSettings() : (await readSettings(tx)).owner;
        const { phoneNumber } = owner.sms;
        await announceOrderPaid(tx, orderId, phoneNumber === null ? null : e164(phoneNumber));
      },
      cartBought: dropReminder,
      needsAttention: announceAttention,
      refunded: announceRefunded,
    },
    news: orderNews(settings),
    settings,
    thumbnail,
    askForDiscount: async (ask) =>
      askForDiscount(db, { ...ask, now: now(), timeZone: (await ownerSettings()).timeZone }),
    publicUrl: config.publicUrl,
    reservationSeconds: config.reservationSeconds,
  };
  const withThumbnails = <T extends { items: { image: string | null }[] }>(order: T): T => ({
    ...order,
    items: order.items.map((item) => ({
      ...item,
      image: item.image === null ? null : thumbnail(item.image),
    })),
  });
  const shop: Shop = {
    frame: {
      provider: provider.name,
      publishableKey: provider.publishableKey,
      publicUrl: config.publicUrl,
      development: parts.development,
    },
    report: (error) => parts.log.error({ err: error }, "a page could not be made whole"),
    settings,
    products,
    giving: keptFor(givingKeptMs, now, () => readGiving(db, provider.name)),
    productNames: changes.cached(["catalog"], () => listProductNames(db)),
    async productBySlug(slug) {
      const product = (await listed()).find((one) => one.slug === slug.toLowerCase()) ?? null;
      if (product) changes.note(`reviews:${product.id}`);
      return product;
    },
    async findProduct(slug) {
      const today = (await moved()).get(slug.toLowerCase());
      return shop.productBySlug(today ?? slug);
    },
    heroProduct: () => shop.findProduct(heroProductSlug),
    isWithdrawn: async (slug) => (await withdrawn()).has(slug.toLowerCase()),
    reviews(listing) {
      changes.note("catalog", listing.productId === undefined ? "reviews" : `reviews:${listing.productId}`);
      return listReviews(db, listing);
    },
    ratingSummary: async () =>
      summarizeRatings(sumRatingCounts((await products()).map(({ ratingCounts }) => ratingCounts))),
    reviewInvitation: (token) => findInvitation(db, parts.linkSecret, token, now()),
    ordersOf: async ({ visitorId }) =>
      visitorId === null ? [] : (await listOrdersOf(db, visitorId)).map(withThumbnails),
    async orderFor(viewer, orderId, linkToken) {
      const own = await shop.orderOfBuyer(viewer, orderId, linkToken);
      if (!viewer.isAdmin || !v.is(orderIdSchema, orderId)) return own;
      const order = own ?? (await findOrder(db, orderId));
      if (!order) return null;
      const needsAttention = await attentionOf(db, orderId);
      return own
        ? { ...own, needsAttention }
        : { ...withThumbnails(order), actions: noActions, needsAttention };
    },
    async orderOfBuyer({ visitorId }, orderId, linkToken) {
      if (!v.is(orderIdSchema, orderId)) return null;
      const isBearer =
        linkToken !== null && isOrderLinkTokenValid(parts.linkSecret, orderId, linkToken, now());
      const order = isBearer
        ? await findOrder(db, orderId)
        : visitorId === null
          ? null
          : await findOrderOfVisitor(db, visitorId, orderId);
      // To whoever still has a link to it, an order without its buyer's data is gone.
      if (!order || order.erasedAt !== null) return null;
      return { ...withThumbnails(order), actions: orderActions(order, await settings(), now()) };
    },
    async paidOrder(viewer, sessionId) {
      const { visitorId } = viewer;
      const payment = visitorId === null ? null : await findOrderByPayment(db, visitorId, sessionId);
      if (!payment) return null;
      const before = await findOrder(db, payment.orderId);
      if (!before) return null;
      if (wasCompleted(before)) return { order: withThumbnails(before), payment: "paid" };
      const status = await refreshPayment(checkout, payment).catch((error: unknown) => {
        // The provider is away: what the shop knows stands, and the page goes on asking.
        if (error instanceof ProviderUnavailable) return "processing" as const;
        // It does not know the payment: the shop has changed its provider since.
        if (error instanceof ProviderRefused) return "requires_payment" as const;
        throw error;
      });
      const order = (await findOrder(db, payment.orderId)) ?? before;
      return {
        order: withThumbnails(order),
        payment: wasCompleted(order)
          ? "paid"
          : status === "processing" || status === "succeeded"
            ? "processing"
            : "unpaid",
      };
    },
    unsubscribeKind: (token) => unsubscribeKind(parts.linkSecret, token, now()),
    isLookupUsable: async (token) => (await findLookup(db, token, now()))?.purpose === "orders",
    async dataLink(token) {
      const found = await findLookup(db, token, now());
      return found && found.purpose !== "orders" ? { ...found, purpose: found.purpose } : null;
    },
    async account({ visitorId }) {
      const account = visitorId === null ? null : await readAccount(db, visitorId);
      return account && { ...account, latest: account.latest.map(withThumbnails) };
    },
    async sandboxCheckout({ visitorId }, sessionId) {
      if (!parts.sandbox || visitorId === null) return null;
      return (await findOrderByPayment(db, visitorId, sessionId)) ? parts.sandbox.session(sessionId) : null;
    },
  };
  const quote: Quote = async (request) => {
    const found = await findSellable(
      db,
      request.items.map(({ productId }) => productId),
    );
    const { discountCode: code, visitorId = null } = request;
    return quoteCart(
      {
        ...request,
        shippingOptionId: request.shippingOption,
        discount: code ? await checkout.askForDiscount({ code, visitorId }) : null,
      },
      found,
      await settings(),
      thumbnail,
    );
  };
  return { shop, checkout, quote, ownerSettings };
}

const orderIdSchema = v.pipe(v.string(), v.uuid());

type Quote = (
  request: Omit<QuoteInput, "shippingOptionId" | "discount"> & {
    shippingOption: string | null;
    discountCode?: string | null;
    visitorId?: Viewer["visitorId"];
  },
) => Promise<PricedQuote>;

/** A payment that could only be given back again has a time, too, but never completed its order. */
function wasCompleted(order: Order): boolean {
  return order.events.some(({ to }) => to === "completed");
}
