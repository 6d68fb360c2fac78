import { buyerName } from "../../domain/orders/first-name.ts";
import { editText } from "../../domain/orders/order-edit.ts";
import type { OrderChange } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { Link, Text } from "../layout/elements.tsx";
import { oneLine, sentence } from "../layout/one-line.ts";
import { OrderLines, ShipTo } from "../layout/order-facts.tsx";
import { action, paragraph, testMode } from "../layout/parts.tsx";
import { addressBlock, noteTexts, orderTable } from "../layout/plain-text.ts";
import { fixedText, simpleTemplate } from "../layout/simple-template.tsx";
import type { EmailOf, Template } from "../layout/template.ts";
import { elementProps } from "../layout/theme.ts";

export const newOrder: Template<EmailOf<"owner_new_order">> = {
  subject: ({ order }) => `New order #${order.number}: ${formatCents(order.totals.total)}`,
  content({ order, adminUrl }, sender) {
    const { email, phone, gift, totals } = order;
    const summary = `${oneLine(buyerName(order) || email)} paid ${formatCents(totals.total)}${gift ? " for a gift" : ""}.`;
    return {
      title: `Order #${order.number} is paid`,
      preview: summary,
      parts: [
        testMode(sender),
        paragraph(summary),
        { html: <OrderLines order={order} sender={sender} />, text: orderTable(order, sender) },
        { html: <ShipTo order={order} />, text: [`Ship to\n${addressBlock(order)}`, ...noteTexts(order)] },
        {
          html: (
            <Text {...elementProps.text}>
              <Link href={`mailto:${email}`} {...elementProps.link}>
                {email}
              </Link>
              {phone !== null && (
                <>
                  <br />
                  {phone}
                </>
              )}
            </Text>
          ),
          text: [email, phone]
            .filter((line) => line !== null)
            .map(oneLine)
            .join("\n"),
        },
        action("Open the order", adminUrl),
      ],
    };
  },
};

const titles = {
  address: "New address",
  called_off: "Cancelled by the buyer",
  return: "Return requested",
  withdrawal: "Withdrawal from the contract",
  items: "Added items are paid",
};

function changeTitle(change: OrderChange): string {
  const isByPanel = change.kind === "called_off" && change.by === "shop";
  return isByPanel ? "Cancelled in the panel by the buyer’s link" : titles[change.kind];
}

export const orderChange = simpleTemplate<"owner_order_change">({
  subject: ({ order, change }) => `Order #${order.number}: ${changeTitle(change).toLowerCase()}`,
  content({ order, change, adminUrl }) {
    return {
      title: changeTitle(change),
      blocks: changeLines(order.number, change).map((words) => fixedText(oneLine(words))),
      action: { label: "Open the order", href: adminUrl },
      order,
    };
  },
});

function changeLines(number: number, change: OrderChange): string[] {
  if (change.kind === "address") {
    return [
      change.by === "buyer"
        ? `The buyer of order #${number} has changed where it goes.`
        : `The contact of order #${number} was changed in the panel; the buyer has been notified.`,
      "If you have printed its packing slip, print it again.",
    ];
  }
  if (change.kind === "return") {
    return [
      `The buyer of order #${number} asks to return it.`,
      `Reason: ${change.reason}`,
      "Please answer. If you approve, tell the buyer where to send the parcel.",
    ];
  }
  if (change.kind === "items") {
    return [
      `The buyer of order #${number} has paid ${formatCents(change.differenceCents)} for the edit to its items. It can be shipped.`,
      editText(change),
      "If you have printed its packing slip, print it again.",
    ];
  }
  const declaration =
    change.kind === "withdrawal"
      ? [
          `${change.name} has withdrawn from the contract for order #${number}. The buyer has been sent an acknowledgement.`,
        ]
      : [
          change.by === "buyer"
            ? `The buyer of order #${number} has cancelled it.`
            : `Somebody in the panel has cancelled order #${number} by its buyer’s link.`,
        ];
  if (change.refundCents === null) {
    return [
      ...declaration,
      "It has already shipped, so the goods are coming back. Send the buyer the return address, and refund within 14 days.",
    ];
  }
  const refund =
    change.refundCents > 0
      ? `${formatCents(change.refundCents)} is being refunded automatically.`
      : "There is nothing left to refund.";
  return [...declaration, `Do not ship it. ${refund} The units are back in stock.`];
}

const textFailedTitle = (number: number) => `Order #${number}: the text to your phone did not arrive`;

export const textFailed = simpleTemplate<"owner_text_failed">({
  subject: ({ order }) => textFailedTitle(order.number),
  content({ order, reason, adminUrl }) {
    return {
      title: textFailedTitle(order.number),
      blocks: [
        `Order #${order.number} for ${formatCents(order.totals.total)} is paid. Only the text about it failed, so you get this email instead.`,
        sentence(reason),
        "The number that texts go to, and a button to try it, are in the admin under Notification Settings.",
      ].map(fixedText),
      action: { label: "Open the order", href: adminUrl },
      order,
    };
  },
});
