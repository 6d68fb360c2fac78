import type { Email } from "../domain/outbox/email.ts";
import { givingComputation, givingNote } from "../domain/sales/giving.ts";
import { dispatchSentence } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { arrivalText } from "../domain/shipping/arrival.ts";
import { Heading, Text } from "./layout/elements.ts";
import { Action, Frame, TestModeNote, testModeNote } from "./layout/frame.tsx";
import { orderFacts } from "./layout/hello.ts";
import { OrderLines, ShipTo } from "./layout/order-facts.tsx";
import { addressBlock, noteTexts, orderTable, paragraphs } from "./layout/plain-text.ts";
import type { EditableTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

type Props = Extract<Email, { kind: "order_confirmation" }>;

export const orderConfirmation: EditableTemplate<"order_confirmation"> = {
  facts: ({ order, deliveryDays }) => ({
    ...orderFacts(order),
    total: formatCents(order.totals.total),
    dispatchSentence,
    deliverySentence:
      [
        deliveryDays && `${order.shippingOption.name} delivery then takes ${deliveryDays}.`,
        order.arrival && `${arrivalText(order.arrival)}.`,
      ]
        .filter(Boolean)
        .join(" ") || null,
  }),
  subject: (_, texts) => texts.line("subject"),
  html(email, texts, sender) {
    const { order, orderUrl } = email;
    const greeting = texts.line("greeting");
    const opening = texts.blocks("opening");
    return (
      <Frame
        sender={sender}
        title={texts.line("heading")}
        preview={previewOf(texts.line("preheader"), opening)}
      >
        <TestModeNote sender={sender} />
        {greeting && <Text {...looks.text}>{greeting}</Text>}
        <Words blocks={opening} sender={sender} />
        <Action href={orderUrl}>{texts.line("button")}</Action>
        <Heading as="h2" {...looks.subheading}>
          Order #{order.number}
        </Heading>
        <OrderLines order={order} sender={sender} />
        <Text {...looks.small}>{paidLine(email)}</Text>
        <ShipTo order={order} />
        <Heading as="h2" {...looks.subheading}>
          What happens next
        </Heading>
        <Words blocks={texts.blocks("next")} sender={sender} />
        <Giving email={email} />
        <Text {...looks.small}>
          The link above opens this order on any device. Please keep it to yourself.
        </Text>
      </Frame>
    );
  },
  text(email, texts, sender) {
    const { order, orderUrl } = email;
    return paragraphs(
      sender,
      texts.line("heading"),
      sender.isTestMode ? testModeNote : null,
      texts.line("greeting") || null,
      ...wordsText(texts.blocks("opening"), sender),
      `Order #${order.number}\n${orderTable(order, sender)}\n\n${paidLine(email)}`,
      `Ship to\n${addressBlock(order)}`,
      ...noteTexts(order),
      `What happens next\n${wordsText(texts.blocks("next"), sender).join("\n")}`,
      givenOf(email),
      `${texts.line("button")} (the link opens it on any device; please keep it to yourself):\n${orderUrl}`,
    );
  },
};

function Giving({ email }: { email: Props }) {
  const givenText = givenOf(email);
  return givenText === null ? null : <Text {...looks.small}>{givenText}</Text>;
}

function givenOf({ order, giving }: Props): string | null {
  const note = givingNote(order, giving);
  return note === null ? null : `${note} ${givingComputation}`;
}

/** "Paid on November 22, 2026 with Visa ending in 4242.", in the shop's time zone. */
function paidLine({ order: { createdAt, paidAt, paidWith }, timeZone }: Props): string {
  const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone });
  const how = paidWith === null ? "" : ` with ${paidWith}`;
  return `Paid on ${date.format(new Date(paidAt ?? createdAt))}${how}.`;
}
