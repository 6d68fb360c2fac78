import type { Product } from "../../domain/catalog/product.ts";
import type { ShownMenu } from "../../domain/content/menu.ts";
import type { ContentKey } from "../../domain/content/pages.ts";
import type { AutomaticDiscount } from "../../domain/discounts/discount-terms.ts";
import { returnAddress } from "../../domain/labels/label-settings.ts";
import type { Account, DataLink, Order, OrderSummary, PaymentState } from "../../domain/orders/order.ts";
import type { ShownOrder } from "../../domain/orders/order-actions.ts";
import type { PaymentProviderName } from "../../domain/payments/providers.ts";
import type { Question } from "../../domain/questions/question.ts";
import type {
  PostedReview,
  RatingSummary,
  ReviewInvitation,
  ReviewListing,
  ReviewPage,
} from "../../domain/reviews/review.ts";
import type { Giving } from "../../domain/sales/giving.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { pick } from "../../domain/shared/pick.ts";
import { orderDay } from "../../domain/shipping/arrival.ts";
import type { ConfirmedStockAlert } from "../../domain/stock-alerts/stock-alert.ts";
import type { ProductName } from "../catalog/queries.ts";
import { type PageContent, readPageContent } from "../content/page-content.ts";
import type { ShopContext } from "../context.ts";
import { listRunningAutomaticDiscounts } from "../discounts/queries.ts";
import { welcomeOffer } from "../newsletter/welcome-offer.ts";
import {
  findAccount,
  findBuyerOrder,
  findViewerOrderByPayment,
  listViewerOrders,
  orderFor,
  sandboxCheckout,
} from "../order-desk/viewer-orders.ts";
import { findLookup } from "../orders/lookup.ts";
import { unsubscribeKind } from "../outbox/optouts.ts";
import type { OptionalKind } from "../outbox/tables.ts";
import type { SandboxCheckout } from "../payment-providers/sandbox/provider.ts";
import { cachedFor } from "../platform/cached-for.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { listQuestions } from "../questions/queries.ts";
import { type RefillChoice, refillChoice } from "../refill-reminders/commands.ts";
import { findInvitation, findPosted } from "../reviews/invitation.ts";
import { listReviews } from "../reviews/queries.ts";
import { alertToConfirm } from "../stock-alerts/commands.ts";

/** The shop's queries for pages, created by `openPageShop`. API calls are in the features. */
export type Shop = {
  /** Data of every page's layout, the same for all visitors. */
  frame: {
    provider: PaymentProviderName;
    publishableKey: string | null;
    publicUrl: string;
    development: boolean;
  };
  /** Logs an error during rendering. */
  report(error: unknown): void;
  settings(): Promise<ShopSettings>;
  /** A page's text with its placeholders filled in. */
  content(key: ContentKey): Promise<PageContent>;
  /** The links of header and footer. */
  menu(): Promise<ShownMenu>;
  /**
   * The working day from which delivery times of an order placed now are counted (domain/shipping/arrival.ts). A page that calls
   * this may be cached until the day changes.
   */
  orderDay(): Promise<string>;
  /** Lines of the address to which undeliverable parcels are returned. */
  returnAddress(): Promise<string[]>;
  /** IANA name of the shop's zone. */
  timeZone(): Promise<string>;
  /** The provider of address suggestions at checkout, if there is one. */
  addressLookup: "google" | "loqate" | null;
  products(): Promise<Product[]>;
  /** Names without prices and stock, so that pages with only these need no rendering after each sale. */
  productNames(): Promise<ProductName[]>;
  /** One name for all sizes of a product, with the slug of its first published size. */
  familyNames(): Promise<ProductName[]>;
  /** Totals of the money set aside for donations and of the donations sent, at most a minute old. */
  giving(): Promise<Giving>;
  /** The newsletter's welcome offer without its code, at most a minute old: "10% off any order."; null if there is none. */
  welcome(): Promise<string | null>;
  /** The discounts that apply without a code, at most a minute old. */
  automaticDiscounts(): Promise<AutomaticDiscount[]>;
  /** `slug` is case-insensitive. */
  productBySlug(slug: string): Promise<Product | null>;
  /** The first published size of an unpublished product, to show instead of it. */
  otherSize(slug: string): Promise<Product | null>;
  /** Whether the product with this slug is unpublished. */
  isUnpublished(slug: string): Promise<boolean>;
  /** Also finds a product by a former slug. */
  findProduct(slug: string): Promise<Product | null>;
  /** The product sold on the home page. */
  heroProduct(): Promise<Product | null>;
  reviews(listing: ReviewListing): Promise<ReviewPage>;
  /** The answered questions about a product, the latest answer first. */
  questions(productId: number): Promise<Question[]>;
  ratingSummary(): Promise<RatingSummary>;
  /** The order and product of an e-mailed review link; null if it is invalid or expired. */
  reviewInvitation(token: string): Promise<ReviewInvitation | null>;
  /** The viewer's own review of a product, of any status. */
  ownReview(viewer: Viewer, productId: number): Promise<PostedReview | null>;
  /** Newest first. */
  listViewerOrders(viewer: Viewer): Promise<OrderSummary[]>;
  /** The order, for its owner, an admin, or the holder of its e-mailed link; otherwise null. */
  orderFor(viewer: Viewer, orderId: string, linkToken: string | null): Promise<ShownOrder | null>;
  /** The order, only for its buyer: the visitor who owns it, or the holder of its e-mailed link; otherwise null. */
  findBuyerOrder(viewer: Viewer, orderId: string, linkToken: string | null): Promise<ShownOrder | null>;
  /**
   * The viewer's order of a payment intent or checkout session; null for other viewers. An unpaid one is first checked at
   * the provider. `payment` is the state to show to a waiting shopper.
   */
  paidOrder(viewer: Viewer, sessionId: string): Promise<{ order: Order; payment: PaymentState } | null>;
  /** The kind of e-mail that an unsubscribe link would end; null for an invalid one. Ends nothing. */
  unsubscribeKind(token: string): OptionalKind | null;
  /** The refill reminder offered for an order; null if there is none. */
  refillChoice(order: Order): Promise<RefillChoice | null>;
  /** The product of a stock alert's confirmation link; null if it is invalid. Does not confirm. */
  alertToConfirm(token: string): Promise<ConfirmedStockAlert | null>;
  /** Whether a "Find my order" link can still be used. Does not redeem the link. */
  isLookupUsable(token: string): Promise<boolean>;
  /** The purpose of a personal-data link; null if the link is invalid or used. Does not redeem the link. */
  dataLink(token: string): Promise<DataLink | null>;
  /** The visitor's own orders and addresses; null for a browser without any. */
  account(viewer: Viewer): Promise<Account | null>;
  /** Data of the sandbox's hosted payment page; null for other viewers, and with real payments. */
  sandboxCheckout(sessionId: string): Promise<SandboxCheckout | null>;
};

const minuteMs = 60_000;
/** Lifetime of the cached welcome offer (ms). */
const welcomeCacheMs = 60_000;
const maxQuestions = 20;

export type { Viewer };

export function openPageShop(ctx: ShopContext): Shop {
  const { changes, config, db, log, now, products, secret, settings } = ctx;
  const offer = cachedFor(welcomeCacheMs, now, () => welcomeOffer(ctx));
  return {
    get frame() {
      const { name: provider, publishableKey } = ctx.provider;
      changes.dependOn("connections");
      return { provider, publishableKey, publicUrl: config.publicUrl, development: ctx.vite !== null };
    },
    report: (error) => log.error({ err: error }, "a page was rendered incompletely"),
    settings: () => settings(),
    content: (key) => readPageContent(ctx, key),
    menu: ctx.menu,
    async orderDay() {
      const { calendar } = await settings();
      const { timeZone } = await ctx.ownerSettings();
      const minuteNow = () => Math.floor(now().getTime() / minuteMs);
      let lastCheck = { minute: minuteNow(), isCurrent: true };
      const day = orderDay(calendar, timeZone, now());
      changes.dependOnCondition(() => {
        // The day changes at a full minute. Formatting the time for each request would cost more than sending the page.
        const minute = minuteNow();
        if (minute !== lastCheck.minute) {
          lastCheck = { minute, isCurrent: orderDay(calendar, timeZone, now()) === day };
        }
        return lastCheck.isCurrent;
      });
      return day;
    },
    returnAddress: async () => returnAddress(await settings(), (await ctx.ownerSettings()).labels),
    timeZone: async () => (await ctx.ownerSettings()).timeZone,
    addressLookup: config.addressLookup?.provider ?? null,
    giving: ctx.giving,
    async welcome() {
      const { welcomeCode } = await ctx.ownerSettings();
      if (welcomeCode === null || !(await settings()).newsletter) return null;
      // The change feed does not report that a code expires or is used up.
      const validUntil = now().getTime() + welcomeCacheMs;
      changes.dependOnCondition(() => now().getTime() < validUntil);
      return (await offer())?.sentence ?? null;
    },
    async automaticDiscounts() {
      const running = await listRunningAutomaticDiscounts(ctx, { visitorId: null });
      if (await ctx.hasAutomaticDiscounts()) {
        // The change feed reports neither dates nor uses.
        const validUntil = now().getTime() + minuteMs;
        changes.dependOnCondition(() => now().getTime() < validUntil);
      }
      return running.map(({ id: _, limitPerCustomer: _limit, firstOrderOnly: _first, ...terms }) => terms);
    },
    products: products.list,
    productNames: products.names,
    ...pick(products, "familyNames", "otherSize", "isUnpublished", "ratingSummary"),
    productBySlug: products.bySlug,
    findProduct: products.find,
    heroProduct: products.hero,
    async reviews(listing) {
      changes.dependOn("catalog");
      if (listing.productId === undefined) changes.dependOn("reviews");
      else for (const id of await products.sizeIds(listing.productId)) changes.dependOn(`reviews:${id}`);
      return listReviews(ctx, listing);
    },
    async ownReview({ visitorId }, productId) {
      if (!Number.isSafeInteger(productId) || productId < 1 || productId > 2 ** 31 - 1) return null;
      const { mode } = ctx.provider;
      return (await findPosted(db, { visitorId, productId, invitedOrderId: null, mode })).review;
    },
    async questions(productId) {
      changes.dependOn("catalog", "questions");
      return (await listQuestions(ctx, { productId, limit: maxQuestions })).data;
    },
    listViewerOrders: (viewer) => listViewerOrders(ctx, viewer),
    orderFor: (viewer, orderId, linkToken) => orderFor(ctx, viewer, orderId, linkToken),
    findBuyerOrder: (viewer, orderId, linkToken) => findBuyerOrder(ctx, viewer, orderId, linkToken),
    paidOrder: (viewer, sessionId) => findViewerOrderByPayment(ctx, viewer, sessionId),
    account: (viewer) => findAccount(ctx, viewer),
    sandboxCheckout: (sessionId) => sandboxCheckout(ctx, sessionId),
    reviewInvitation: (token) => findInvitation({ db, secret, now: now(), mode: ctx.provider.mode }, token),
    unsubscribeKind: (token) => unsubscribeKind(secret, token, now()),
    refillChoice: (order) => refillChoice(ctx, order),
    alertToConfirm: (token) => alertToConfirm(ctx, token),
    isLookupUsable: async (token) => (await findLookup(db, token, now()))?.purpose === "orders",
    async dataLink(token) {
      const lookup = await findLookup(db, token, now());
      return lookup && lookup.purpose !== "orders" ? { ...lookup, purpose: lookup.purpose } : null;
    },
  };
}
