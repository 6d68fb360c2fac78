import type { InvoiceSnapshot } from "../../domain/books/invoice.ts";
import { formatDay } from "../../domain/orders/order-text.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { openDocument } from "../platform/pdf.ts";

const page = { left: 56, right: 539, top: 56, bottom: 755 };
const width = page.right - page.left;
/** Colors of the shop's pages. */
const ink = "#1d2a21";
const muted = "#565e53";
const gold = "#a98850";
const hairline = "#e2d8c5";

/**
 * The document as a PDF (A4), made only from the snapshot stored when it was issued, so that its bytes never change.
 * `voided`: since when and why it is void.
 */
export async function invoicePdf(
  invoice: InvoiceSnapshot,
  voided: { on: string; reason: string } | null,
): Promise<Uint8Array> {
  const title = `${invoice.corrects ? "Credit note" : "Invoice"} ${invoice.label}`;
  const { doc, finish } = await openDocument({
    size: "A4",
    margin: page.left,
    // The page numbers are written after all pages.
    bufferPages: true,
    // The date of issue instead of now, so that the bytes never change.
    info: {
      Title: title,
      Author: invoice.seller.name,
      CreationDate: new Date(`${invoice.issuedOn}T12:00:00Z`),
    },
  });

  const text = (words: string, x: number, y: number, options: PDFKit.Mixins.TextOptions = {}) =>
    doc.text(words, x, y, { lineBreak: true, ...options });
  const style = (font: "regular" | "bold", size: number, color = ink) =>
    doc.font(font).fontSize(size).fillColor(color);
  const money = (cents: number) => formatCents(cents);
  const date = (day: string) => formatDay(`${day}T00:00:00Z`, "UTC");

  style("bold", 13);
  text(invoice.seller.name, page.left, page.top, { width: 230 });
  doc.y += 3;
  style("regular", 9, muted);
  for (const line of [
    ...invoice.seller.address,
    invoice.seller.email,
    invoice.seller.vatId && `VAT ID ${invoice.seller.vatId}`,
    invoice.seller.registration,
  ])
    if (line) text(line, page.left, doc.y, { width: 230 });
  let nextTop = doc.y;

  style("regular", 24);
  text(invoice.corrects ? "Credit note" : "Invoice", 300, page.top - 11, {
    width: page.right - 300,
    align: "right",
  });
  style("bold", 10);
  text(invoice.label, 300, doc.y + 1, { width: page.right - 300, align: "right" });
  style("regular", 9, muted);
  const facts = [
    `Issued ${date(invoice.issuedOn)}`,
    ...(invoice.corrects
      ? [`For invoice ${invoice.corrects.label} of ${date(invoice.corrects.issuedOn)}`]
      : []),
    `Order #${invoice.order.number} of ${date(invoice.order.placedOn)}`,
    `Paid ${date(invoice.order.paidOn)}${invoice.order.paidWith ? `, ${invoice.order.paidWith}` : ""}`,
  ];
  for (const fact of facts) text(fact, 300, doc.y, { width: page.right - 300, align: "right" });
  nextTop = Math.max(nextTop, doc.y) + 16;
  const drawRule = (y: number, color = hairline, thickness = 0.75) =>
    doc.moveTo(page.left, y).lineTo(page.right, y).lineWidth(thickness).strokeColor(color).stroke();
  drawRule(nextTop, gold, 1.5);
  nextTop += 20;

  if (invoice.isTest || voided) {
    style("bold", 11, "#a02c1c");
    const stamp = voided
      ? `VOID since ${date(voided.on)}: ${voided.reason}`
      : "Test order: this is not an invoice.";
    text(stamp, page.left, nextTop, { width });
    nextTop = doc.y + 14;
  }

  style("regular", 9, muted);
  text(invoice.corrects ? "Credited to" : "Billed to", page.left, nextTop);
  style("regular", 10);
  for (const line of [
    invoice.buyer.company,
    invoice.buyer.name,
    ...invoice.buyer.address,
    invoice.buyer.vatId && `VAT ID ${invoice.buyer.vatId}`,
  ])
    if (line) text(line, page.left, doc.y, { width: 320 });

  let y = doc.y + 30;
  const columns = { quantity: 330, price: 380, total: 460 };
  const cell = (words: string, x: number, width: number) => text(words, x, y, { width, align: "right" });
  const drawTableHead = () => {
    style("regular", 9, muted);
    text("Description", page.left, y);
    cell("Quantity", columns.quantity - 30, 70);
    cell("Price", columns.price, 70);
    cell("Amount", columns.total, page.right - columns.total);
    y += 18;
    drawRule(y, muted);
    y += 8;
  };
  drawTableHead();
  for (const line of invoice.lines) {
    style("regular", 10);
    const height = doc.heightOfString(line.name, { width: 260 });
    if (y + height > page.bottom) {
      doc.addPage();
      y = page.top;
      drawTableHead();
      style("regular", 10);
    }
    text(line.name, page.left, y, { width: 260 });
    cell(String(line.quantity), columns.quantity, 40);
    cell(money(line.price), columns.price, 70);
    cell(money(line.total), columns.total, page.right - columns.total);
    y += height + 5;
    drawRule(y);
    y += 6;
  }
  y += 8;
  const { percent, place, cents: taxCents, included } = invoice.tax;
  const taxDetails = `${percent === null ? "" : ` ${percent}%`}${place ? ` (${place})` : ""} on ${money(invoice.total - taxCents)}`;
  const totals: [name: string, cents: number][] = [
    ["Goods", invoice.subtotal],
    ...(invoice.discount > 0
      ? [
          [invoice.discountCode ? `Discount (${invoice.discountCode})` : "Discount", -invoice.discount] as [
            string,
            number,
          ],
        ]
      : []),
    [`Shipping (${invoice.shipping.name})`, invoice.shipping.cents],
    ...(included ? [] : [[`Tax${taxDetails}`, taxCents] as [string, number]]),
  ];
  if (y + totals.length * 18 + 75 > page.bottom) {
    doc.addPage();
    y = page.top;
  }
  const totalsLeft = 270;
  const label = (words: string) => text(words, totalsLeft, y, { width: columns.total - totalsLeft });
  for (const [name, cents] of totals) {
    style("regular", 10, muted);
    const { y: end } = label(name);
    style("regular", 10);
    // A hyphen: the fonts have no minus sign.
    cell(cents < 0 ? `-${money(-cents)}` : money(cents), columns.total, page.right - columns.total);
    y = Math.max(y + 18, end + 4);
  }
  y += 2;
  doc.moveTo(totalsLeft, y).lineTo(page.right, y).lineWidth(0.75).strokeColor(muted).stroke();
  y += 9;
  style("bold", 13);
  label(invoice.corrects ? "Credited" : "Total paid");
  cell(`${money(invoice.total)} ${invoice.currency}`, totalsLeft + 80, page.right - totalsLeft - 80);
  if (included) {
    y += 24;
    style("regular", 10, muted);
    label(`Includes ${included.name}${taxDetails}`);
    style("regular", 10);
    cell(money(taxCents), columns.total, page.right - columns.total);
  }
  y += 40;
  if (invoice.note) {
    style("regular", 9, muted);
    text(invoice.note, page.left, y, { width });
  }
  const { count } = doc.bufferedPageRange();
  for (let index = 0; count > 1 && index < count; index += 1) {
    doc.switchToPage(index);
    style("regular", 8, muted);
    text(`${title}, page ${index + 1} of ${count}`, page.left, 770, {
      width,
      align: "right",
      lineBreak: false,
    });
  }
  return finish();
}
