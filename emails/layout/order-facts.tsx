import { Fragment } from "react";
import { addressLines } from "../../domain/address/address-format.ts";
import { bundleNote } from "../../domain/catalog/bundles.ts";
import { formatTotal } from "../../domain/checkout/total-text.ts";
import { discountRow } from "../../domain/discounts/discount.ts";
import { combinedNote } from "../../domain/discounts/discount-terms.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Sender } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { Text } from "./elements.tsx";
import { Lines, Quote } from "./frame.tsx";
import { oneLine } from "./one-line.ts";
import { ProductPicture } from "./product-picture.tsx";
import { colors, elementProps, sans } from "./theme.ts";

/** Subtotal, discount, shipping, tax and total as `[label, amount]`, in this order. */
export function totalRows({
  totals,
  shippingOption,
  discountCode,
}: Order): [label: string, amount: string][] {
  const discount = discountLine(discountCode, totals.discount);
  return [
    ["Subtotal", formatCents(totals.subtotal)],
    ...(discount ? [discount] : []),
    [`Shipping (${shippingOption.name})`, totals.shipping === 0 ? "Free" : formatCents(totals.shipping)],
    ...(totals.taxIncluded ? [] : [["Tax", formatCents(totals.tax)] as [string, string]]),
  ];
}

/** The row of a discount, with a hyphen as its minus: screen readers of mail programs skip the minus sign, and copies keep a hyphen. */
export function discountLine(code: string | null, cents: number): [label: string, amount: string] | null {
  const row = discountRow(code, cents);
  return row && [row[0], row[1].replace("−", "-")];
}

/** Notes below an item: the price of one of several units, and its bundles; none for a replacement, which is free. */
export function lineNotes({ replaces }: Order, item: Order["items"][number]): string[] {
  if (replaces) return [];
  const unitPriceNote = item.quantity > 1 ? `${formatCents(item.price)} each` : null;
  return [unitPriceNote, bundleNote(item.bundles, item.bundleSaving)].filter((note) => note !== null);
}

/** Notes below the total: "Includes $3.12 VAT", unless tax has its own row, and that a discount applies on top of bundle prices. */
export function totalNotes(order: Order): string[] {
  const { tax, taxIncluded } = order.totals;
  const includedTaxNote = taxIncluded ? `Includes ${formatCents(tax)} ${taxIncluded.name}` : null;
  return [includedTaxNote, combinedNote(order)].filter((note) => note !== null);
}

const cell = {
  color: colors.ink,
  fontFamily: sans,
  fontSize: 15,
  lineHeight: "22px",
  padding: "12px 0",
  verticalAlign: "top",
};
const rule = { borderTop: `1px solid ${colors.line}` };
const amount = { ...cell, textAlign: "right", whiteSpace: "nowrap", paddingLeft: 16 } as const;
const total = { fontSize: 17, fontWeight: 600 };
const muted = { color: colors.inkMuted };
const tight = { paddingBottom: 0 };
const styles = {
  table: { borderCollapse: "collapse" },
  lines: { borderBottom: `1px solid ${colors.line}`, borderCollapse: "collapse", margin: "4px 0 16px" },
  picture: { ...cell, ...rule, width: 76 },
  item: { ...cell, ...rule },
  discountLabel: { ...cell, ...rule, ...muted },
  groupLabel: { ...cell, ...rule, ...muted, width: 128, paddingRight: 12 },
  itemAmount: { ...amount, ...rule },
  firstLabel: { ...cell, ...rule, ...tight, ...muted },
  firstAmount: { ...amount, ...rule, ...tight },
  label: { ...cell, ...tight, ...muted },
  amount: { ...amount, ...tight },
  total: { ...cell, ...total },
  totalAmount: { ...amount, ...total },
  note: { ...muted, fontSize: 15, fontWeight: 400 },
} as const;

export function OrderLines({ order, sender }: { order: Order; sender: Sender }) {
  return (
    <table width="100%" cellPadding="0" cellSpacing="0" style={styles.table}>
      <tbody>
        {order.items.map((item) => (
          <ItemRow
            key={item.productId}
            item={item}
            notes={lineNotes(order, item)}
            cents={order.replaces ? null : item.total}
            sender={sender}
          />
        ))}
        {!order.replaces && <TotalRows order={order} sender={sender} />}
      </tbody>
    </table>
  );
}

/** Items of a cart or a draft between two rules, and a draft's discount. */
export function ItemLines({
  lines,
  discount = null,
  sender,
}: {
  lines: readonly ItemLine[];
  discount?: Discount | null;
  sender: Sender;
}) {
  const saving = discount && discountLine(discount.code, discount.cents);
  return (
    <table width="100%" cellPadding="0" cellSpacing="0" className="rule" style={styles.lines}>
      <tbody>
        {lines.map((line) => (
          <ItemRow key={line.name} item={line} cents={line.totalCents} sender={sender} />
        ))}
        {saving && (
          <tr>
            <td colSpan={2} className="muted rule" style={styles.discountLabel}>
              {saving[0]}
            </td>
            <td className="ink rule" style={styles.itemAmount}>
              {saving[1]}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** Items below a label each, such as those added to an order and those removed. */
export type LabeledItems = readonly (readonly [label: string, items: readonly Units[]])[];
type Units = { name: string; quantity: number };

export function LabeledLines({ groups }: { groups: LabeledItems }) {
  return (
    <table width="100%" cellPadding="0" cellSpacing="0" className="rule" style={styles.lines}>
      <tbody>
        {groups.map(([label, items]) => (
          <tr key={label}>
            <td className="muted rule" style={styles.groupLabel}>
              {label}
            </td>
            <td className="ink rule" style={styles.item}>
              <Lines lines={items.map(({ name, quantity }) => `${quantity} × ${oneLine(name)}`)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export type Discount = { code: string | null; cents: number };
export type ItemLine = { name: string; quantity: number; totalCents: number; image: string | null };

/** `cents` null if it has no price. A line without a picture has no cell for one. */
function ItemRow({
  item: { name, quantity, image },
  notes = [],
  cents,
  sender,
}: {
  item: { name: string; quantity: number; image?: string | null };
  notes?: readonly string[];
  cents: number | null;
  sender: Sender;
}) {
  return (
    <tr>
      {image !== undefined && (
        <td className="rule" style={styles.picture}>
          <ProductPicture sender={sender} image={image} alt="" size={64} />
        </td>
      )}
      <td className="ink rule" style={styles.item}>
        {`${quantity} × ${name}`}
        {notes.map((note) => (
          <Fragment key={note}>
            <br />
            <span className="muted" style={muted}>
              {note}
            </span>
          </Fragment>
        ))}
      </td>
      <td className="ink rule" style={styles.itemAmount}>
        {cents !== null && formatCents(cents)}
      </td>
    </tr>
  );
}

function TotalRows({ order, sender }: { order: Order; sender: Sender }) {
  return (
    <>
      {totalRows(order).map(([label, value], index) => (
        <tr key={label}>
          <td colSpan={2} className="muted rule" style={index === 0 ? styles.firstLabel : styles.label}>
            {label}
          </td>
          <td className="ink rule" style={index === 0 ? styles.firstAmount : styles.amount}>
            {value}
          </td>
        </tr>
      ))}
      <tr>
        <td colSpan={2} className="ink" style={styles.total}>
          Total
          {totalNotes(order).map((note) => (
            <div key={note} className="muted" style={styles.note}>
              {note}
            </div>
          ))}
        </td>
        <td className="ink" style={styles.totalAmount}>
          {formatTotal(order.totals.total, sender.currencyDisplay)}
        </td>
      </tr>
    </>
  );
}

/** Sentences below the address, each with the buyer's text that it introduces. */
export function orderNotes({ customerName, gift }: Order): { sentence: string; quote: string | null }[] {
  if (!gift) return [];
  const from = gift.from ? ` from ${gift.from}` : "";
  const sentence = oneLine(`A gift for ${customerName}${from}. The slip in the package shows no prices.`);
  return [{ sentence, quote: gift.note }];
}

export function ShipTo({ order }: { order: Order }) {
  return (
    <>
      <h2 {...elementProps.subheading}>Ship to</h2>
      <Text {...elementProps.text}>
        <Lines lines={addressLines(order)} />
      </Text>
      {orderNotes(order).map(({ sentence, quote }) => (
        <Fragment key={sentence}>
          <Text {...elementProps.text}>{sentence}</Text>
          {quote && <Quote text={quote} />}
        </Fragment>
      ))}
    </>
  );
}
