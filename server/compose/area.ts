import type { SessionGate } from "../admin/sessions.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import type { Shop } from "../pages/shop.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import type { SandboxProvider } from "../payments/sandbox.ts";
import type { AnyApiRoute } from "../platform/api-route.ts";
import type { Forget } from "../platform/housekeeping.ts";
import type { RecurringTask } from "../platform/job-workers.ts";
import type { Task } from "../platform/jobs.ts";
import type { RateLimits } from "../platform/rate-limit.ts";
import type { ComposeInput } from "./input.ts";
import type { KeptSettings } from "./kept-settings.ts";
import type { AskForQuote } from "./quote.ts";

/** What an area of the shop consists of, apart from what pages ask of it (see `Shop`). */
export type Area = {
  api: AnyApiRoute[];
  tasks?: Task[];
  cron?: RecurringTask[];
  /** Delete what has served its time. */
  forgetters?: Forget[];
};

/** What all areas are made from. */
export type AreaParts = ComposeInput & {
  provider: PaymentProvider;
  sandbox: SandboxProvider | null;
  settings: KeptSettings;
  checkout: CheckoutParts;
  quote: AskForQuote;
  shop: Shop;
  sessions: SessionGate;
  limits: RateLimits;
  /** Where mail is kept that no mail server takes. */
  mailFolder: string;
};
