import { buyerName } from "../domain/orders/first-name.ts";
import type { Email, Sender } from "../domain/outbox/email.ts";
import { givingComputation, givingNote } from "../domain/sales/giving.ts";
import { dispatchSentence } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { Heading, Text } from "./layout/elements.ts";
import { Action, Frame, TestModeNote, testModeNote } from "./layout/frame.tsx";
import { hello } from "./layout/hello.ts";
import { OrderLines, ShipTo } from "./layout/order-facts.tsx";
import { addressBlock, giftTexts, orderTable, paragraphs } from "./layout/plain-text.ts";
import { looks } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "order_confirmation" }>;

export function subject({ order }: Props, sender: Sender): string {
  return `Your ${sender.brandName} order #${order.number}`;
}

export function html(email: Props, sender: Sender) {
  const { order, orderUrl } = email;
  return (
    <Frame sender={sender} title="Thank you for your order" preview={paid(email)}>
      <TestModeNote sender={sender} />
      <Text {...looks.text}>{hello(buyerName(order))}</Text>
      <Text {...looks.text}>{paid(email)}</Text>
      <Action href={orderUrl}>View your order</Action>
      <Heading as="h2" {...looks.subheading}>
        Order #{order.number}
      </Heading>
      <OrderLines order={order} sender={sender} />
      <Text {...looks.small}>{paidLine(email)}</Text>
      <ShipTo order={order} />
      <Heading as="h2" {...looks.subheading}>
        What happens next
      </Heading>
      {nextSteps(email).map((step) => (
        <Text key={step} {...looks.text}>
          {step}
        </Text>
      ))}
      <Giving email={email} />
      <Text {...looks.small}>The link above opens this order on any device. Please keep it to yourself.</Text>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  const { order, orderUrl } = email;
  return paragraphs(
    sender,
    "Thank you for your order",
    sender.isTestMode ? testModeNote : null,
    hello(buyerName(order)),
    paid(email),
    `Order #${order.number}\n${orderTable(order, sender)}\n\n${paidLine(email)}`,
    `Ship to\n${addressBlock(order)}`,
    ...giftTexts(order),
    `What happens next\n${nextSteps(email).join("\n")}`,
    givenOf(email),
    `View your order (the link opens it on any device; please keep it to yourself):\n${orderUrl}`,
  );
}

function Giving({ email }: { email: Props }) {
  const given = givenOf(email);
  return given === null ? null : <Text {...looks.small}>{given}</Text>;
}

function givenOf({ order, giving }: Props): string | null {
  const note = givingNote(order, giving);
  return note === null ? null : `${note} ${givingComputation}`;
}

function paid({ order }: Props): string {
  return `We have received your payment of ${formatCents(order.totals.total)} for order #${order.number}.`;
}

/** "Paid on November 22, 2026 with Visa ending in 4242." Where the shop is, as its books have it. */
function paidLine({ order: { createdAt, paidAt, paidWith }, timeZone }: Props): string {
  const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone });
  const how = paidWith === null ? "" : ` with ${paidWith}`;
  return `Paid on ${date.format(new Date(paidAt ?? createdAt))}${how}.`;
}

function nextSteps({ order, deliveryDays }: Props): string[] {
  const delivery =
    deliveryDays === null ? "" : ` ${order.shippingOption.name} delivery then takes ${deliveryDays}.`;
  return [
    `${dispatchSentence}${delivery}`,
    "Once it’s on its way, we’ll send you the tracking information. Until then, you can cancel it on your order page.",
  ];
}
