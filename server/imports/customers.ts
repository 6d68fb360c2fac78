import * as v from "valibot";
import { customerTagsSchema } from "../../domain/customers/customer.ts";
import { noteSchema } from "../../domain/orders/admin-order.ts";
import { countryCode, countryName } from "../../domain/shared/country.ts";
import { type CustomerImport, importCustomer, undoCustomerImport } from "../customers/import.ts";
import { lockCustomers } from "../customers/refresh.ts";
import { importSubscriber, removeImportedSubscriber } from "../newsletter/import.ts";
import type { Format, ImportContext, ImportedKind } from "./kind.ts";
import { type Line, parseValue, RowRefused } from "./lines.ts";
import { consentText, findConsent, parseEmail } from "./subscribers.ts";

/** Titles of the columns in files of this shop, Shopify and WooCommerce. */
const titles = {
  email: ["Email"],
  name: ["Name"],
  firstName: ["First name"],
  lastName: ["Last name"],
  phone: ["Phone", "Default Address Phone"],
  city: ["City", "Default Address City"],
  country: ["Country", "Country Code", "Default Address Country Code", "Country / Region"],
  tags: ["Tags"],
  note: ["Note"],
  agreedAt: ["Consent date"],
  proof: ["Consent proof"],
} as const;

const ignoredColumns: readonly (readonly [what: string, titles: readonly string[]])[] = [
  [
    "street, postal code and company, which buyers enter at checkout",
    [
      "Default Address Address1",
      "Address1",
      "Street",
      "Address",
      "Default Address Zip",
      "Zip",
      "Postal Code",
    ],
  ],
  [
    "orders and sums, which the shop counts itself",
    ["Total Orders", "Orders", "Total Spent", "Total Spend", "Value"],
  ],
  ["tax exemption", ["Tax Exempt"]],
  ["text-message marketing", ["Accepts SMS Marketing"]],
  ["user names and sign-ins", ["Username", "Last Active"]],
];

/** A sentence about columns that the shop does not import, and a sentence about missing consent. */
function notes(lines: readonly Line[]): string[] {
  const presentColumns = ignoredColumns.filter(([, columns]) => lines.some((line) => line.has(...columns)));
  const hasMarketingColumn = lines.some((line) => line.has("Accepts Email Marketing"));
  const hasConsent = lines.some((line) => line.has(...titles.agreedAt));
  return [
    ...(presentColumns.length > 0 ? [`Left out: ${presentColumns.map(([what]) => what).join("; ")}.`] : []),
    ...(hasMarketingColumn && !hasConsent
      ? [
          "Nobody is subscribed to the newsletter: the file has neither date nor proof of consent. Add the columns “Consent date” and “Consent proof” for those whose consent you can prove.",
        ]
      : []),
  ];
}

const parseRows = (lines: readonly Line[]) => [...lines];
const formats: Format<Line>[] = [
  {
    // https://help.shopify.com/en/manual/customers/import-export-customers; its template has other titles than its export.
    name: "Shopify’s customer export",
    needs: [titles.email, ["Accepts Email Marketing"], titles.firstName],
    parseRows,
    notes,
  },
  {
    // `get_export_columns` of Admin/API/Reports/Customers in https://github.com/woocommerce/woocommerce.
    name: "WooCommerce’s customer export",
    needs: [titles.email, ["Country / Region"], ["Username"]],
    parseRows,
    notes,
  },
  { name: "A list of customers", needs: [titles.email], parseRows, notes },
];

/** `subscriberId` is null if the row added no subscriber. */
type Step = { customer: CustomerImport | null; subscriberId: number | null };

/** Customers, matched by their address. Existing customers get the details they lack; details from their orders are not replaced. */
export const customersKind: ImportedKind<Line> = {
  areRowsIndependent: true,
  formats,
  rowLine: (line) => line,
  rowLabel: (line) => line.text(...titles.email) || fullName(line),
  async sort({ db }, lines) {
    await lockCustomers(db);
    return lines;
  },
  async importRow(ctx, line) {
    const email = parseEmail(line.text(...titles.email));
    ctx.refuseRepeated("address", email.toLowerCase(), line);
    const details = customerDetails(line);
    const tags = parseValue(
      v.pick(customerTagsSchema, ["tags"]),
      {
        tags: line
          .text(...titles.tags)
          .split(",")
          .filter((tag) => tag.trim() !== ""),
      },
      { tags: "Tags" },
    ).tags;
    const noteText = line.text(...titles.note);
    const note = noteText && parseValue(noteSchema, { text: noteText }, { text: "Note" }).text;
    const result = await importCustomer(ctx, { email, details, tags, note });
    if (result === "erased") throw new RowRefused("Its person had all data deleted here.");
    if (result === "too_many_tags") throw new RowRefused("Together with its tags here, it has too many.");
    const subscription = await subscribe(ctx, line, email);
    const label = email;
    if (result.import === null && subscription.id === null)
      return { label, state: "same", text: `As in the shop. ${subscription.text}`.trim() };
    const step: Step = { customer: result.import, subscriberId: subscription.id };
    const before = result.import?.before;
    const { country, ...otherDetails } = result.newDetails;
    const place = country ? [countryName(country) ?? country] : [];
    const newTags = tags.filter((tag) => !before?.tags.includes(tag));
    const text = sentences(
      [...Object.values(otherDetails), ...place].join(", "),
      newTags.length > 0 && `Tags: ${newTags.join(", ")}`,
      result.import?.noteId && `Note: ${note}`,
      subscription.text,
    );
    if (before === null) return { label, text: text || "Only the address.", state: "new", step };
    const formerText = sentences(
      before?.name ?? "",
      before?.tags.length && `Tags: ${before.tags.join(", ")}`,
    );
    return {
      label,
      text: `Adds what is new. ${text}`,
      before: formerText || "Only the address.",
      state: "changed",
      step,
    };
  },
  async undo(ctx, { customer, subscriberId }: Step) {
    const reasons = [
      customer && (await undoCustomerImport(ctx, customer)),
      subscriberId === null ? null : await removeImportedSubscriber(ctx.db, subscriberId),
    ];
    const reason = reasons.find((text) => text !== null);
    if (reason) throw new RowRefused(reason);
  },
};

function sentences(...parts: (string | number | false | null | undefined)[]): string {
  return parts
    .filter(Boolean)
    .map((part) => `${part}`.replace(/[.]?$/, "."))
    .join(" ");
}

/** Subscribes a customer whose row has date and proof of consent. */
async function subscribe(
  ctx: ImportContext,
  line: Line,
  email: string,
): Promise<{ text: string; id: number | null }> {
  const [agreedAt, proof] = [line.text(...titles.agreedAt), line.text(...titles.proof)];
  const consent = await findConsent(ctx, { email, agreedAt, proof });
  if (consent === null) return { text: "", id: null };
  if (line.yesNo("Accepts Email Marketing") === false)
    return { text: "Not subscribed. It does not accept marketing there.", id: null };
  const result = await importSubscriber(ctx.db, consent);
  if (result.state === "refused") return { text: `Not subscribed. ${result.reason}`, id: null };
  if (result.state === "same") return { text: "", id: null };
  return { text: `Subscribed. ${await consentText(ctx, consent)}`, id: result.id };
}

function fullName(line: Line): string {
  const names = [line.text(...titles.firstName), line.text(...titles.lastName)].filter(Boolean).join(" ");
  return names || line.text(...titles.name);
}

function customerDetails(line: Line) {
  const countryText = line.text(...titles.country);
  const country = countryText && countryCode(countryText);
  if (country === null)
    throw new RowRefused(
      `Country: “${countryText}” is not a country we know. Write it like “United States” or US.`,
    );
  const entries = Object.entries({
    name: fullName(line),
    phone: line.text(...titles.phone),
    city: line.text(...titles.city),
    country,
  }).filter(([, text]) => text !== "");
  const details: Record<string, string> = Object.fromEntries(entries);
  const maxLengths = { name: 200, phone: 40, city: 100 };
  for (const [field, max] of Object.entries(maxLengths)) {
    if ((details[field]?.length ?? 0) > max)
      throw new RowRefused(`Its ${field} is longer than ${max} characters.`);
  }
  return details;
}
