import { addressLines } from "../../domain/address/address-format.ts";
import { bundleNote } from "../../domain/catalog/bundles.ts";
import { formatTotal } from "../../domain/checkout/total-text.ts";
import { discountRow } from "../../domain/discounts/discount.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Sender } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { Heading, Text } from "./elements.ts";
import { colors, sans, styles } from "./theme.ts";

/** What was bought and what it came to, as `[label, amount]` rows in the order they are read. */
export function totalRows({
  totals,
  shippingOption,
  discountCode,
}: Order): [label: string, amount: string][] {
  const discount = discountRow(discountCode, totals.discount);
  return [
    ["Subtotal", formatCents(totals.subtotal)],
    // A plain hyphen: mail programs read aloud and copy what they get.
    ...(discount ? [[discount[0], discount[1].replace("−", "-")] as [string, string]] : []),
    [`Shipping (${shippingOption.name})`, totals.shipping === 0 ? "Free" : formatCents(totals.shipping)],
    ["Tax", formatCents(totals.tax)],
  ];
}

export function OrderLines({ order, sender }: { order: Order; sender: Sender }) {
  const cell = {
    fontFamily: sans,
    fontSize: 15,
    lineHeight: "22px",
    padding: "10px 0",
    verticalAlign: "top",
  };
  const rule = { borderTop: `1px solid ${colors.line}` };
  const amount = { ...cell, textAlign: "right", whiteSpace: "nowrap", paddingLeft: 16 } as const;
  return (
    <table
      width="100%"
      cellPadding="0"
      cellSpacing="0"
      style={{ borderCollapse: "collapse", color: colors.ink }}
    >
      <tbody>
        {order.items.map((item) => (
          <tr key={item.productId}>
            <td style={{ ...cell, ...rule }}>
              {item.name}
              <br />
              <span style={{ color: colors.inkMuted }}>
                {item.quantity} × {formatCents(item.price)}
                {item.bundles.length > 0 && (
                  <>
                    <br />
                    {bundleNote(item.bundles, item.bundleSaving)}
                  </>
                )}
              </span>
            </td>
            <td style={{ ...amount, ...rule }}>{formatCents(item.total)}</td>
          </tr>
        ))}
        {totalRows(order).map(([label, value], index) => (
          <tr key={label}>
            <td style={{ ...cell, ...(index === 0 ? rule : {}), color: colors.inkMuted, paddingBottom: 0 }}>
              {label}
            </td>
            <td style={{ ...amount, ...(index === 0 ? rule : {}), paddingBottom: 0 }}>{value}</td>
          </tr>
        ))}
        <tr>
          <td style={{ ...cell, fontSize: 17, fontWeight: 600 }}>Total</td>
          <td style={{ ...amount, fontSize: 17, fontWeight: 600 }}>
            {formatTotal(order.totals.total, sender.currencyDisplay)}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

export function ShipTo({ order }: { order: Order }) {
  return (
    <>
      <Heading as="h2" style={styles.subheading}>
        Ships to
      </Heading>
      <Text style={styles.text}>
        {addressLines(order).map((line) => (
          <span key={line}>
            {line}
            <br />
          </span>
        ))}
      </Text>
    </>
  );
}
