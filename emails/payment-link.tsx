import { formatDay } from "../domain/orders/order-text.ts";
import { formatCents } from "../domain/shared/money.ts";
import { letterTemplate } from "./layout/letter.tsx";

export const paymentLink = letterTemplate<"payment_link">({
  subject: ({ totalCents }, { brandName }) =>
    `Your order from ${brandName}: ${formatCents(totalCents)} to pay`,
  letter({ name, lines, totalCents, payUrl, expiresAt }, { timeZone }) {
    return {
      title: "Your order is ready to be paid",
      to: name,
      paragraphs: [
        "We have put your order together:",
        ...lines.map((line) => `${line.quantity} × ${line.name}`),
        `${formatCents(totalCents)} in all, with shipping and tax. The link below shows the amounts and takes your payment until ${formatDay(expiresAt, timeZone)}.`,
      ],
      action: { label: `Pay ${formatCents(totalCents)}`, href: payUrl },
    };
  },
});
