import { paidHow } from "../domain/orders/order.ts";
import type { Email } from "../domain/outbox/email.ts";
import { givingNote } from "../domain/sales/giving.ts";
import { dispatchSentence } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { dateIn } from "../domain/shared/zoned-days.ts";
import { arrivalDates } from "../domain/shipping/arrival.ts";
import { Text } from "./layout/elements.tsx";
import { orderFacts } from "./layout/greeting.ts";
import { ShipTo } from "./layout/order-facts.tsx";
import { action, optionalParagraph, orderPart, paragraph, testMode, textPart } from "./layout/parts.tsx";
import { addressBlock, noteTexts } from "./layout/plain-text.ts";
import type { EditableTemplate } from "./layout/template.ts";
import { plainTextBlocks, TextBlocks } from "./layout/text-blocks.tsx";
import { elementProps } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "order_confirmation" }>;

export const orderConfirmation: EditableTemplate<"order_confirmation"> = {
  facts: ({ order, deliveryDays }) => ({
    ...orderFacts(order),
    // For an exchange, only the difference is paid.
    total: formatCents(order.exchangeOf ? Math.max(0, order.exchangeOf.difference) : order.totals.total),
    firstNumber: order.exchangeOf && String(order.exchangeOf.of.number),
    dispatchSentence,
    deliverySentence: deliveryDays && `${order.shippingOption.name} delivery then takes ${deliveryDays}.`,
  }),
  content(email, texts, sender) {
    const { order, orderUrl } = email;
    const next = texts.blocks("next");
    const giving = givingNote(order);
    const isExchanged = order.exchangeOf !== null && order.exchangeOf.difference <= 0;
    const button = texts.line("button");
    const lines = orderPart(order, sender);
    return {
      highlight: order.arrival && `It arrives ${arrivalDates(order.arrival)}`,
      parts: [
        testMode(sender),
        optionalParagraph(texts.line("greeting")),
        textPart(texts.blocks(isExchanged ? "openingExchange" : "opening"), sender),
        { html: action(button, orderUrl).html },
        {
          html: (
            <>
              {lines.html}
              <Text {...elementProps.small}>{paidLine(email)}</Text>
              <ShipTo order={order} />
              <h2 {...elementProps.subheading}>What happens next</h2>
              <TextBlocks blocks={next} sender={sender} />
            </>
          ),
          text: [
            `${lines.text}\n\n${paidLine(email)}`,
            `Ship to\n${addressBlock(order)}`,
            ...noteTexts(order),
            ["What happens next", ...plainTextBlocks(next, sender)].join("\n"),
          ],
        },
        giving !== null && paragraph(giving, "small"),
        {
          html: paragraph(
            "The link above opens this order on any device. Please keep it to yourself.",
            "small",
          ).html,
          text: `${button} (the link opens it on any device; please keep it to yourself):\n${orderUrl}`,
        },
      ],
    };
  },
};

const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** "Paid on November 22, 2026 with Visa ending in 4242.", in the shop's time zone. */
function paidLine({ order, timeZone }: Props): string {
  const day = dateIn(timeZone, new Date(order.paidAt ?? order.createdAt));
  const paymentText = order.paidWith === null ? "" : ` ${paidHow(order)}`;
  return `Paid on ${longDate.format(new Date(`${day}T00:00:00Z`))}${paymentText}.`;
}
