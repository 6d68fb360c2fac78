import type { ShownMenu } from "../domain/content/menu.ts";
import type { Role } from "../domain/people/roles.ts";
import type { Giving } from "../domain/sales/giving.ts";
import type { OwnerSettings, ShopSettings } from "../domain/settings/settings.ts";
import type { LiveRates } from "../domain/shipping/shipping-policy.ts";
import type { ActivityLog } from "./admin/activity.ts";
import type { SessionGate } from "./admin/sessions.ts";
import type { LiveRatesRequest } from "./cart/live-rates.ts";
import type { PictureStore } from "./catalog/pictures/store.ts";
import type { PublishedProducts } from "./catalog/published-products.ts";
import type { AddressLookup } from "./checkout/address-lookup/lookup.ts";
import type { Connections } from "./connections/connections.ts";
import type { EmailTexts } from "./content/emails/published-texts.ts";
import type { ReadContent } from "./content/published-texts.ts";
import type { ComposersOf } from "./outbox/composers.ts";
import type { Mailer } from "./outbox/smtp.ts";
import type { TextSender } from "./outbox/twilio.ts";
import type { PaymentProvider } from "./payment-providers/provider.ts";
import type { SandboxProvider } from "./payment-providers/sandbox/provider.ts";
import type { PaymentHooksOf } from "./payments/hooks.ts";
import type { PersonalDataOf } from "./personal-data.ts";
import type { BaseContext } from "./platform/base-context.ts";
import type { Db } from "./platform/database/database.ts";

/** Dependencies of commands, queries, jobs and API calls, created once when the shop starts. */
export type ShopContext = BaseContext & {
  /** Connections to other services; the current ones are in `config`, `provider`, `mailer` and `textSender`. */
  connections: Connections;
  provider: PaymentProvider;
  /** Whether the provider responds; checked at most once in 30 s. */
  isProviderReachable(): Promise<boolean>;
  /** The provider, if payments are simulated; otherwise null. */
  sandbox: SandboxProvider | null;
  /**
   * Cached until they change. Pass `tx` inside a transaction: uncached values are then read on its connection, because
   * transactions that each wait for a second connection could block each other.
   */
  settings(tx?: Db): Promise<ShopSettings>;
  /** Settings that only the owner sees. */
  ownerSettings(tx?: Db): Promise<OwnerSettings>;
  /** Whether a discount without a code is switched on, cached until that changes. */
  hasAutomaticDiscounts(): Promise<boolean>;
  /** Products as shoppers see them, cached until they change. */
  products: PublishedProducts;
  /** A published text, cached until another one is published. */
  content: ReadContent;
  /** The published links of header and footer. */
  menu(): Promise<ShownMenu>;
  /** The texts of e-mails to shoppers, cached until one is published. */
  emailTexts: EmailTexts;
  /** Donations set aside and sent so far, at most a minute old. */
  giving(): Promise<Giving>;
  sessions: SessionGate;
  activity: ActivityLog;
  pictures: PictureStore;
  /** The keys of the admin calls that a role may make. */
  allowedCalls(role: Role): string[];
  /** The functions that compose each kind of message when it is sent. */
  composers: ComposersOf<ShopContext>;
  paymentHooks: readonly PaymentHooksOf<ShopContext>[];
  personalData: readonly PersonalDataOf<ShopContext>[];
  /** `Feature.liveRates`. */
  liveRates(request: LiveRatesRequest): Promise<LiveRates>;
  /** Null if no mail server is configured; messages are then saved in `mailFolder`. */
  mailer: Mailer | null;
  mailFolder: string;
  /** Null if Twilio is not configured. */
  textSender: TextSender | null;
  /** Null if no service is configured; addresses are then not suggested. */
  addressLookup: AddressLookup | null;
};

/** Context of commands that can run within the caller's transaction. */
export type WritingContext = Pick<ShopContext, "now"> & { db: Db };
