import { buyerName } from "../../domain/orders/first-name.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { Link, Text } from "../layout/elements.ts";
import { Action, Frame, TestModeNote, testModeNote } from "../layout/frame.tsx";
import { oneLine } from "../layout/one-line.ts";
import { OrderLines, ShipTo } from "../layout/order-facts.tsx";
import { addressBlock, noteTexts, orderTable, paragraphs } from "../layout/plain-text.ts";
import { looks } from "../layout/theme.ts";

type Props = Extract<Email, { kind: "owner_new_order" }>;

export function subject({ order }: Props): string {
  return `New order #${order.number}: ${formatCents(order.totals.total)}`;
}

export function html(email: Props, sender: Sender) {
  const { order, adminUrl } = email;
  return (
    <Frame sender={sender} title={`Order #${order.number} is paid`} preview={summary(email)}>
      <TestModeNote sender={sender} />
      <Text {...looks.text}>{summary(email)}</Text>
      <OrderLines order={order} sender={sender} />
      <ShipTo order={order} />
      <Text {...looks.text}>
        <Link href={`mailto:${order.email}`} {...looks.link}>
          {order.email}
        </Link>
        {order.phone === null ? null : (
          <>
            <br />
            {order.phone}
          </>
        )}
      </Text>
      <Action href={adminUrl}>Open the admin</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  const { order, adminUrl } = email;
  const contact = [order.email, order.phone].filter((line) => line !== null).map(oneLine);
  return paragraphs(
    sender,
    `Order #${order.number} is paid`,
    sender.isTestMode ? testModeNote : null,
    summary(email),
    orderTable(order, sender),
    `Ship to\n${addressBlock(order)}`,
    ...noteTexts(order),
    contact.join("\n"),
    `Open the admin:\n${adminUrl}`,
  );
}

function summary({ order }: Props): string {
  const what = order.gift ? " for a gift" : "";
  return `${oneLine(buyerName(order) || order.email)} paid ${formatCents(order.totals.total)}${what}.`;
}
