import { unitsText } from "../../domain/inventory/stock.ts";
import { formatDay, formatMinute } from "../../domain/orders/order-text.ts";
import { oneLine, sentence } from "../layout/one-line.ts";
import { action, link, paragraph, testMode } from "../layout/parts.tsx";
import type { EmailOf, Template } from "../layout/template.ts";

const issueTitle = ({ order }: EmailOf<"owner_attention">) =>
  order ? `Order #${order.number} needs your attention` : "Something needs your attention";

export const ownerIssue: Template<EmailOf<"owner_attention">> = {
  subject: issueTitle,
  content: (email, sender) => ({
    title: issueTitle(email),
    preview: email.message,
    parts: [
      testMode(sender),
      paragraph(sentence(email.message)),
      paragraph("Please look at it and decide."),
      action("Open it in the admin", email.adminUrl),
      email.url !== null && link("See it at the payment provider", email.url),
    ],
  }),
};

type LowStock = EmailOf<"owner_low_stock">;

function lowStockTitle({ productName, alert }: LowStock): string {
  if (alert.kind === "expired") return `Past best before: ${productName}, batch ${alert.batchCode}`;
  return alert.free <= 0 ? `Sold out: ${productName}` : `Running low: ${productName} (${alert.free} left)`;
}

export const ownerLowStock: Template<LowStock> = {
  subject: lowStockTitle,
  content: (email) => ({
    title: lowStockTitle(email),
    preview: lowStockSentences(email)[0],
    parts: [
      ...lowStockSentences(email).map((line) => paragraph(line)),
      action("Open the stock", email.adminUrl),
    ],
  }),
};

function lowStockSentences({ productName, alert }: LowStock): string[] {
  if (alert.kind === "expired") {
    const units = alert.units === 1 ? "The last unit" : `The last ${unitsText(alert.units)}`;
    return [
      `${units} of batch ${alert.batchCode} of ${productName} passed the best-before date ${formatDay(alert.bestBefore, "UTC")} and came off sale.`,
      "Please take them off the shelf. If the date is wrong, correct it and add the units to the batch again.",
    ];
  }
  return [
    alert.free <= 0
      ? `${productName} is sold out: shoppers see “Sold out” and can’t buy it.`
      : `There ${alert.free === 1 ? "is 1 unit" : `are ${unitsText(alert.free)}`} of ${productName} left to sell.`,
    "When more has arrived, enter it in the admin under Stock. You get no further alert before that.",
  ];
}

export const ownerSecurity: Template<EmailOf<"owner_security">> = {
  subject: ({ what }) => oneLine(what),
  content({ what, who, at, from, adminUrl }, { timeZone }) {
    const source = oneLine(
      `${who} did this on ${formatMinute(at, timeZone)}${from === "" ? "" : ` (${from})`}.`,
    );
    return {
      title: oneLine(what),
      preview: source,
      parts: [
        paragraph(source),
        paragraph(
          "If you did this yourself or expected it, there is nothing to do. If not, somebody else has access to the panel: end every session under Sessions, deactivate the account under People, and set another access code.",
        ),
        action("Open the activity log", adminUrl),
      ],
    };
  },
};

type Summary = EmailOf<"owner_summary">;

const alertNouns: Record<Summary["of"], string> = {
  owner_contact: "message",
  owner_question: "question",
  owner_review: "review",
};
const summaryReason = "So many arrived within an hour that this one email replaces the others.";
const summaryTitle = ({ of, count }: Summary) =>
  `${count} more ${alertNouns[of]}${count === 1 ? "" : "s"} came in`;

/** One e-mail that replaces further alerts of a kind after the hourly limit. */
export const ownerSummary: Template<Summary> = {
  subject: summaryTitle,
  content: (email) => ({
    title: summaryTitle(email),
    preview: summaryReason,
    parts: [paragraph(summaryReason), action("Read them in the admin", email.adminUrl)],
  }),
};

const testReason =
  "You requested this email in the Go-live check. It was sent like every other email of the shop, so confirmations, answers and alerts can be sent, too.";

/** Tests whether e-mail reaches the owner. */
export const testEmail: Template<EmailOf<"test_email">> = {
  subject: (_, { brandName }) => `Test email from ${brandName}`,
  content: ({ adminUrl }, { brandName }) => ({
    title: `Test email from ${brandName}`,
    preview: testReason,
    parts: [
      paragraph(testReason),
      paragraph(
        "Please check where it arrived: if it is in the spam folder, your domain’s SPF, DKIM and DMARC records need attention.",
      ),
      action("Back to the Go-live check", adminUrl),
    ],
  }),
};
