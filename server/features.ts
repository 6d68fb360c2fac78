import { adminFeature } from "./admin/feature.ts";
import type { AnyApiRow } from "./api-row.ts";
import { backupFeature } from "./backup/feature.ts";
import { booksFeature } from "./books/feature.ts";
import { campaignsFeature } from "./campaigns/feature.ts";
import { cartFeature } from "./cart/feature.ts";
import { catalogFeature } from "./catalog/feature.ts";
import { checkoutFeature } from "./checkout/feature.ts";
import { connectionsFeature } from "./connections/feature.ts";
import { contactFeature } from "./contact/feature.ts";
import { contentFeature } from "./content/feature.ts";
import type { ShopContext } from "./context.ts";
import { customersFeature } from "./customers/feature.ts";
import { discountsFeature } from "./discounts/feature.ts";
import { disputesFeature } from "./disputes/feature.ts";
import { draftsFeature } from "./drafts/feature.ts";
import type { Feature } from "./feature.ts";
import { goLiveFeature } from "./go-live/feature.ts";
import { importsFeature } from "./imports/feature.ts";
import { inventoryFeature } from "./inventory/feature.ts";
import { issuesFeature } from "./issues/feature.ts";
import { labelsFeature } from "./labels/feature.ts";
import { moneyCheckFeature } from "./money-check/feature.ts";
import { newsletterFeature } from "./newsletter/feature.ts";
import { orderDeskFeature } from "./order-desk/feature.ts";
import { ordersFeature } from "./orders/feature.ts";
import type { ComposersOf } from "./outbox/composers.ts";
import { outboxFeature } from "./outbox/feature.ts";
import { overviewFeature } from "./overview/feature.ts";
import { paymentProvidersFeature } from "./payment-providers/feature.ts";
import { paymentsFeature } from "./payments/feature.ts";
import type { PaymentHooksOf } from "./payments/hooks.ts";
import { peopleFeature } from "./people/feature.ts";
import type { PersonalDataOf } from "./personal-data.ts";
import { privacyFeature } from "./privacy/feature.ts";
import { pushFeature } from "./push/feature.ts";
import { questionsFeature } from "./questions/feature.ts";
import { refillRemindersFeature } from "./refill-reminders/feature.ts";
import { reviewsFeature } from "./reviews/feature.ts";
import { salesFeature } from "./sales/feature.ts";
import { settingsFeature } from "./settings/feature.ts";
import { siteFeature } from "./site/feature.ts";
import { stockAlertsFeature } from "./stock-alerts/feature.ts";
import { visitorsFeature } from "./visitors/feature.ts";
import { webhooksFeature } from "./webhooks/feature.ts";

export const features = [
  catalogFeature,
  inventoryFeature,
  discountsFeature,
  cartFeature,
  checkoutFeature,
  paymentProvidersFeature,
  paymentsFeature,
  ordersFeature,
  orderDeskFeature,
  labelsFeature,
  disputesFeature,
  issuesFeature,
  moneyCheckFeature,
  draftsFeature,
  customersFeature,
  reviewsFeature,
  questionsFeature,
  stockAlertsFeature,
  newsletterFeature,
  campaignsFeature,
  importsFeature,
  refillRemindersFeature,
  contactFeature,
  privacyFeature,
  outboxFeature,
  settingsFeature,
  connectionsFeature,
  webhooksFeature,
  contentFeature,
  salesFeature,
  booksFeature,
  backupFeature,
  goLiveFeature,
  siteFeature,
  peopleFeature,
  pushFeature,
  adminFeature,
  overviewFeature,
  // Last: visitors are deleted once nothing else refers to them.
  visitorsFeature,
] as const satisfies readonly Feature[];

/** The types of all API rows, from which those of `callApi` and of calls by pages are derived. */
export type ApiRows = Extract<(typeof features)[number], { api: readonly AnyApiRow[] }>["api"][number];

/** The composer of each kind of message; a kind that no feature composes does not compile. */
export const composers: ComposersOf<ShopContext> = {
  ...inventoryFeature.mail,
  ...checkoutFeature.mail,
  ...draftsFeature.mail,
  ...paymentsFeature.mail,
  ...ordersFeature.mail,
  ...orderDeskFeature.mail,
  ...labelsFeature.mail,
  ...reviewsFeature.mail,
  ...questionsFeature.mail,
  ...stockAlertsFeature.mail,
  ...newsletterFeature.mail,
  ...campaignsFeature.mail,
  ...refillRemindersFeature.mail,
  ...contactFeature.mail,
  ...privacyFeature.mail,
  ...peopleFeature.mail,
  ...contentFeature.mail,
  ...outboxFeature.mail,
};

export const paymentHooks: PaymentHooksOf<ShopContext>[] = features.flatMap(
  ({ paymentHooks }: Feature) => paymentHooks ?? [],
);

export const personalData: PersonalDataOf<ShopContext>[] = features.flatMap(
  ({ personalData }: Feature) => personalData ?? [],
);

export const { liveRates } = labelsFeature;

/** Every row of the API that this shop serves. */
export function enabledApi(ctx: ShopContext): AnyApiRow[] {
  const rows = features.flatMap((feature: Feature) => feature.api ?? []);
  return rows.filter(({ isServed }) => isServed?.(ctx) ?? true);
}
