import { type LabelSettings, returnAddress } from "../../domain/labels/label-settings.ts";
import { formatDay } from "../../domain/orders/order-text.ts";
import { itemsToPack, type Packing } from "../../domain/orders/packing.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { countryName } from "../../domain/shared/country.ts";
import { openDocument } from "../platform/pdf.ts";
import type { LabelRow } from "./tables.ts";

const inch = 72;
const label = { width: 4 * inch, height: 6 * inch };
const sheets = { letter: [612, 792], a4: [595.28, 841.89] } as const;
const ink = "#000000";

export type PrintedLabel = {
  label: LabelRow;
  /** Null to print the label alone. */
  slip: Packing | null;
  number: number;
};

/**
 * Labels in one PDF: one of 4 x 6 inches per page, or two per sheet, rotated by 90 degrees. A packing slip follows on the page
 * after its label, or after the sheet with its label.
 */
export async function labelsPdf(
  printedLabels: readonly PrintedLabel[],
  { settings, shop, timeZone }: { settings: LabelSettings; shop: ShopSettings; timeZone: string },
): Promise<Uint8Array> {
  const sheet = settings.paper === "4x6" ? null : sheets[settings.paper];
  const size = sheet ? [...sheet] : [label.width, label.height];
  const { doc, finish } = await openDocument({
    autoFirstPage: false,
    size,
    margin: 0,
    info: { Title: documentTitle(printedLabels), Author: shop.brandName },
  });
  const perPage = sheet ? 2 : 1;
  for (let start = 0; start < printedLabels.length; start += perPage) {
    const pageLabels = printedLabels.slice(start, start + perPage);
    doc.addPage();
    for (const [position, printedLabel] of pageLabels.entries()) {
      doc.save();
      if (sheet) {
        // The upper or lower half, with the rotated label in the middle.
        const [width, height] = sheet;
        doc
          .translate((width + label.height) / 2, position * (height / 2) + (height / 2 - label.width) / 2)
          .rotate(90);
      }
      drawLabel(doc, printedLabel, settings.sender);
      doc.restore();
    }
    for (const { slip, label: labelRow } of pageLabels) {
      if (!slip) continue;
      doc.addPage();
      const shipmentId = labelRow.shippedAt ? labelRow.id : undefined;
      drawSlip(doc, slip, { shipmentId, shop, returnTo: returnAddress(shop, settings), timeZone });
    }
  }
  if (printedLabels.length === 0) doc.addPage();
  return finish();
}

function documentTitle(printedLabels: readonly PrintedLabel[]): string {
  const title = printedLabels.length === 1 ? "Label" : "Labels";
  return printedLabels.some(({ label: { mode } }) => mode !== "live") ? `${title} (TEST)` : title;
}

function drawLabel(
  doc: PDFKit.PDFDocument,
  { label: row, number }: PrintedLabel,
  sender: LabelSettings["sender"],
): void {
  if (row.picture) {
    doc.image(row.picture, 0, 0, { fit: [label.width, label.height] });
    return;
  }
  const margin = 18;
  const width = label.width - 2 * margin;
  const write = (words: string, y: number, size: number, font: "regular" | "bold" = "regular") =>
    doc.font(font).fontSize(size).fillColor(ink).text(words, margin, y, { width, lineGap: 1 });
  const drawRule = (y: number) =>
    doc.moveTo(0, y).lineTo(label.width, y).lineWidth(2).strokeColor(ink).stroke();

  doc
    .rect(1, 1, label.width - 2, label.height - 2)
    .lineWidth(2)
    .strokeColor(ink)
    .stroke();
  write(row.carrier.toUpperCase(), 14, 12, "bold");
  write(row.service, 30, 20, "bold");
  drawRule(62);
  write("From", 70, 7, "bold");
  const buyer = row.recipient ?? ["The address was deleted: this label must not be used."];
  const cityLine = `${sender.city}, ${[sender.state, sender.postalCode].filter(Boolean).join(" ")}`;
  const shop = [sender.name, sender.line1, sender.line2, cityLine, countryName(sender.country)];
  const [from, to] = row.returnId === null ? [shop, buyer] : [buyer, shop];
  write(from.filter(Boolean).join("\n"), 80, 8);
  drawRule(140);
  write("Ship to", 148, 8, "bold");
  const words = to.filter(Boolean).join("\n");
  const sizes = [14, 12, 11, 10, 9, 8, 7, 6];
  const fits = (size: number) =>
    doc.font("bold").fontSize(size).heightOfString(words, { width, lineGap: 1 }) <= 116;
  write(words, 160, sizes.find(fits) ?? 5, "bold");
  drawRule(282);
  write("Tracking number", 290, 8, "bold");
  drawBars(doc, row.trackingNumber ?? "", { left: margin, top: 304, width, height: 56 });
  write((row.trackingNumber ?? "").replace(/(.{4})/g, "$1 ").trim(), 364, 10, "bold");
  drawRule(386);
  doc.font("bold").fontSize(26).fillColor(ink).text("TEST", margin, 388, { width, align: "center" });
  doc
    .font("regular")
    .fontSize(7)
    .text(`Not valid for postage. Order #${number}`, margin, 418, { width, align: "center" });
}

/** Draws bars that look like a barcode but cannot be scanned as one. */
function drawBars(
  doc: PDFKit.PDFDocument,
  text: string,
  { left, top, width, height }: Record<"left" | "top" | "width" | "height", number>,
): void {
  const bars = [...text].flatMap((character) => {
    const code = character.charCodeAt(0);
    return [1 + (code % 3), 1, 1 + ((code >> 2) % 2), 2];
  });
  const unit =
    width /
    Math.max(
      1,
      bars.reduce((sum, bar) => sum + bar, 0),
    );
  let x = left;
  for (const [index, bar] of bars.entries()) {
    if (index % 2 === 0) doc.rect(x, top, bar * unit, height).fill(ink);
    x += bar * unit;
  }
}

/** Draws a parcel's contents, without prices, to fit the page. */
function drawSlip(
  doc: PDFKit.PDFDocument,
  order: Packing,
  {
    shipmentId,
    shop,
    returnTo,
    timeZone,
  }: { shipmentId: string | undefined; shop: ShopSettings; returnTo: string[]; timeZone: string },
): void {
  const isSmall = doc.page.width < 400;
  const margin = isSmall ? 18 : 56;
  const width = doc.page.width - 2 * margin;
  const bottom = doc.page.height - margin;
  let y = margin;
  const write = (words: string, size: number, font: "regular" | "bold", gap: number) => {
    doc.font(font).fontSize(size).fillColor(ink);
    const height = doc.heightOfString(words, { width });
    if (y + height > bottom) {
      doc.addPage();
      y = margin;
      doc.font(font).fontSize(size).fillColor(ink);
    }
    doc.text(words, margin, y, { width });
    y += height + gap;
  };
  const size = isSmall ? 10 : 11;
  write(shop.brandName, isSmall ? 12 : 16, "bold", 2);
  write(
    `Packing slip · Order #${order.number} · ${formatDay(order.createdAt, timeZone)}`,
    size - 1,
    "regular",
    2,
  );
  if (returnTo.length > 0)
    write(`If undeliverable, return to ${returnTo.join(", ")}`, size - 2, "regular", 2);
  y += 12;
  if (order.gift) {
    write(`A gift for ${order.customerName}`, size, "bold", 4);
    if (order.gift.note) write(order.gift.note, size, "regular", 4);
    if (order.gift.from) write(`From ${order.gift.from}`, size, "regular", 10);
  }
  for (const { quantity, name, sku } of itemsToPack(order, shipmentId)) {
    write(`${quantity} × ${name}`, size + 1, "bold", sku ? 0 : 6);
    if (sku) write(`SKU ${sku}`, size - 2, "regular", 6);
  }
}
