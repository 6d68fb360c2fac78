import * as v from "valibot";
import { expect, test } from "vitest";
import { invoiceBuyerSchema } from "../books/invoice.ts";
import { newProductSchema } from "../catalog/product-admin.ts";
import { joinFamilySchema, newSizeSchema } from "../catalog/product-family.ts";
import { recipientSchema } from "../checkout/checkout.ts";
import { contactFormSchema } from "../contact/contact.ts";
import { parcelSchema } from "../orders/admin-order.ts";
import { newPersonSchema, ownAccountSchema, passkeyNameSchema } from "../people/person.ts";
import { settingsProblems } from "../settings/settings-problems.ts";

/** Texts that are printed or sent on a separate line, such as names. */
const names: Record<string, v.GenericSchema> = {
  "of a buyer": recipientSchema.entries.customerName,
  "of a message’s sender": contactFormSchema.entries.name,
  "of a company on an invoice": invoiceBuyerSchema.entries.company,
  "of an invited person": newPersonSchema.entries.name,
  "of an owner": ownAccountSchema.entries.name,
  "of a passkey": passkeyNameSchema,
  "of a product": newProductSchema.entries.name,
  "of a product’s size": newProductSchema.entries.size,
  "of a new size": newSizeSchema.entries.size,
  "of a product that becomes a size": joinFamilySchema.entries.size,
  "of a carrier": parcelSchema.entries.carrier,
};

test.each(Object.keys(names))("a name with a line break is refused: %s", (name) => {
  const schema = names[name] as v.GenericSchema;
  expect(v.safeParse(schema, "Ada Obi-Łódź").success).toBe(true);
  for (const text of [
    "Ada\nObi",
    "Ada\rObi",
    "Ada\r\nBcc: eve@example.com",
    "Ada\u2028Obi",
    "Ada\u0085Obi",
  ]) {
    expect([text, v.safeParse(schema, text).success]).toEqual([text, false]);
  }
});

test.each([
  ["founder.name", { founder: { name: "Ada\nObi", caption: null } }],
  [
    "seller.registration",
    { seller: { legalName: "Oil Ltd", address: null, vatId: null, registration: "HRB\r1" } },
  ],
])("a text of the settings with a line break is refused: %s", (field, settings) => {
  expect(settingsProblems(settings)).toEqual({ [field]: "Use one line" });
});
