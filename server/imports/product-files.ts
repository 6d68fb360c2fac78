import type { Format } from "./kind.ts";
import { Line } from "./lines.ts";

/** The shop's own columns. A row is one size of a product; rows of one name are sizes of one another. */
export const productColumns = {
  name: "Name",
  size: "Size",
  price: "Price",
  compareAtPrice: "Compare-at price",
  cost: "Cost",
  sku: "SKU",
  gtin: "Bar code",
  weightGrams: "Weight (g)",
  hsCode: "HS code",
  originCountry: "Country of origin",
  shortDescription: "Short description",
  description: "Description",
  stock: "Stock",
  published: "Published",
} as const;

/** Column with the reason why a translated row is refused. No file has this title, because titles are trimmed. */
export const refusedTitle = "\nrefused";
/** A row of another program's file, in the shop's own columns. */
type TranslatedRow = Partial<Record<keyof typeof productColumns | "refused", string | null>>;

const yesOrNo = (is: boolean) => (is ? "yes" : "no");
const picturesLeftOut = "Pictures are not fetched from other addresses. Add them to the products by hand.";

/**
 * Shopify's product export, with its titles before and after they were renamed:
 * https://help.shopify.com/en/manual/products/import-export/using-csv, read November 2026. A product's first row has its texts,
 * further rows are variants or pictures.
 */
const shopify: Format<Line> = {
  name: "Shopify’s product export",
  needs: [["Handle", "URL handle"], ["Title"], ["Variant Price", "Price"]],
  parseRows(lines) {
    const firstLineByHandle = new Map<string, Line>();
    return lines.flatMap((line) => {
      const handle = line.text("Handle", "URL handle");
      const first = firstLineByHandle.get(handle) ?? line;
      firstLineByHandle.set(handle, first);
      const price = line.text("Variant Price", "Price");
      if (price === "" && line !== first) return [];
      const options = [1, 2, 3].map((number) => line.text(`Option${number} Value`));
      const isListed = first.text("Published", "Published on online store").toLowerCase() === "true";
      return translateLine(line, {
        name: first.text("Title"),
        size: options.filter((value) => value !== "" && value !== "Default Title").join(" / "),
        price,
        compareAtPrice: line.text("Variant Compare At Price", "Compare-at price"),
        cost: line.text("Cost per item"),
        sku: line.text("Variant SKU", "SKU"),
        gtin: line.text("Variant Barcode", "Barcode"),
        weightGrams: line.text("Variant Grams", "Weight value (grams)"),
        description: plainText(first.text("Body (HTML)", "Description")),
        stock: line.text("Variant Inventory Qty", "Inventory quantity"),
        published: yesOrNo(isListed && ["", "active"].includes(first.text("Status").toLowerCase())),
      });
    });
  },
  notes: (lines) =>
    lines.some((line) => line.text("Image Src", "Product image URL")) ? [picturesLeftOut] : [],
};

/**
 * WooCommerce's product export: https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Importer-&-Exporter, read November
 * 2026. A variation names its parent by SKU or as `id:100`, and is below it.
 */
const wooCommerce: Format<Line> = {
  name: "WooCommerce’s product export",
  needs: [["Type"], ["Name"], ["Regular price"]],
  parseRows(lines) {
    const parents = new Map<string, Line>();
    return lines.flatMap((line) => {
      const types = line.text("Type").toLowerCase().split(/, */);
      if (types.includes("variable")) {
        for (const name of [line.text("SKU"), `id:${line.text("ID")}`]) parents.set(name, line);
        return [];
      }
      const parent = types.includes("variation") ? parents.get(line.text("Parent")) : line;
      if (!parent)
        return translateLine(line, {
          name: line.text("Name"),
          refused: "Its parent does not stand above it.",
        });
      if (types.some((type) => !["simple", "variation"].includes(type))) {
        return translateLine(line, {
          name: line.text("Name"),
          refused: `A product of the type “${line.text("Type")}” is nothing to ship.`,
        });
      }
      const values =
        parent === line ? [] : [1, 2, 3].map((number) => line.text(`Attribute ${number} value(s)`));
      return translateLine(line, {
        name: parent.text("Name"),
        size: values.filter(Boolean).join(" / "),
        price: line.text("Regular price"),
        sku: line.text("SKU"),
        gtin: line.text("GTIN, UPC, EAN, or ISBN"),
        weightGrams: readGrams(line),
        shortDescription: plainText(parent.text("Short description")),
        description: plainText(parent.text("Description")),
        stock: line.text("Stock"),
        published: yesOrNo([line, parent].every((row) => row.text("Published") === "1")),
      });
    });
  },
  notes: (lines) => [
    ...(lines.some((line) => line.text("Images")) ? [picturesLeftOut] : []),
    ...(lines.some((line) => line.text("Sale price"))
      ? ["Sale prices are left out; the regular ones are imported."]
      : []),
  ],
};

export const productFormats = [
  shopify,
  wooCommerce,
  {
    name: "A list of products",
    needs: [[productColumns.name], [productColumns.price]],
    parseRows: (lines) => [...lines],
  },
] as const satisfies readonly Format<Line>[];

/** Empty cells count as missing columns, so that they do not change existing products. */
function translateLine(line: Line, row: TranslatedRow): Line[] {
  const titles: Record<string, string> = { ...productColumns, refused: refusedTitle };
  const cells = Object.entries(row).filter(([, text]) => text);
  return [
    new Line(
      line.lineNumber,
      new Map(cells.map(([field, text]) => [(titles[field] ?? field).toLowerCase(), text ?? ""])),
    ),
  ];
}

/** WooCommerce's titles contain the unit: "Weight (kg)". */
function readGrams(line: Line): string {
  for (const [unit, grams] of Object.entries({ kg: 1000, g: 1, lbs: 453.592, oz: 28.3495 })) {
    const weight = line.text(`Weight (${unit})`).replace(",", ".");
    if (weight !== "") return String(Math.round(Number(weight) * grams));
  }
  return "";
}

/** The text of HTML, with a line for each paragraph, list entry and line break. */
function plainText(html: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };
  return html
    .replace(/<(script|style)\b(?:(?!<\1)[\s\S])*?<\/\1>/gi, "")
    .replace(/\\n|<br\s*\/?>|<\/(p|div|li|h[1-6]|ul|ol|tr)>/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? "")
    .replace(/[ \t]+/g, " ")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
