import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest test files, which are started first so that none runs alone at the end; a fresh clone has no timings. */
const longest = [
  "e2e/trouble/chaos.test.ts",
  "e2e/trouble/crash.test.ts",
  "server/main.trouble.test.ts",
  "e2e/owner-pages.test.ts",
  "e2e/owner-orders.test.ts",
  "e2e/provider.test.ts",
  "e2e/reviews.test.ts",
  "e2e/owner-shop.test.ts",
  "e2e/crawl.test.ts",
  "e2e/connections.test.ts",
  "e2e/everyone.test.ts",
  "server/backup/backup.trouble.test.ts",
  "server/labels/carriers.test.ts",
  "server/payments/other-account.test.ts",
  "server/catalog/pictures/pictures.test.ts",
  "server/order-desk/exchanges/exchanges.test.ts",
  "test/fuzz.test.ts",
  "server/people/api-keys.test.ts",
  "server/order-desk/edits/edits.test.ts",
  "server/payments/stripe-orders.test.ts",
  "server/order-desk/order-actions.test.ts",
  "server/disputes/disputes.test.ts",
  "server/order-desk/refunds/owner-refunds.test.ts",
  "server/platform/jobs/jobs.test.ts",
  "test/html.test.ts",
  "server/backup/take-over.trouble.test.ts",
  "server/backup/off-site.test.ts",
  "server/disputes/evidence/evidence.test.ts",
  "server/checkout/reminders.test.ts",
  "server/checkout/concurrent.test.ts",
  "server/webhooks/webhooks.test.ts",
  "server/campaigns/codes-and-pictures.test.ts",
  "server/admin/confirmation-limit.test.ts",
  "server/outbox/outbox.test.ts",
  "server/outbox/outage.test.ts",
  "server/money-check/money-check.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
