import { addressFormat } from "../../../../../domain/address/address-format.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { countries } from "../../../../../domain/shared/country.ts";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { AddressInputs, CheckedPhone, withCountry } from "../../../address/address-inputs.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";

const emptyAddress = { line1: "", line2: "", city: "", state: "", postalCode: "", country: "US" };

/** Edits the recipient of a paid order and, until it ships, the address. */
export default function ContactDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const canChangeAddress = order.may.cancel && order.shipments.length === 0;
  const exchanges = order.exchanges.filter(({ status }) => status !== "ended");
  const followUps = [...order.replacements, ...exchanges].map(({ number }) => `#${number}`);
  const mailNotice = useMailNotice();
  const form = useAdminForm(
    "PATCH /api/admin/orders/:id/contact",
    {
      customerName: order.customerName,
      email: order.email,
      phone: order.phone ?? "",
      shipping: order.shipping ? { ...order.shipping, line2: order.shipping.line2 ?? "" } : emptyAddress,
      // The version when the dialog was opened, so that a newer change by another user is not overwritten.
      version: order.contactVersion,
      waiveDifference: false,
    },
    { success: { title: "Details saved", description: mailNotice("The customer gets an email.") } },
  );
  const { fields } = form;
  const { shipping } = form.values;
  const { required } = addressFormat(shipping.country);
  const bind = (name: keyof typeof shipping) => ({
    ...form.field(`shipping.${name}`),
    name: `contact-${name}`,
    optional: name !== "country" && !required.has(name),
    ...(name === "country" && {
      onChange: ({ target }: { target: { value: string } }) =>
        form.set({ shipping: withCountry(shipping, target.value) }),
    }),
  });

  function save() {
    const hasAddress = canChangeAddress && shipping.line1.trim() !== "";
    return form.run({
      params: { id: order.id },
      body: { ...form.values, shipping: hasAddress ? shipping : null },
    });
  }

  return (
    <FormDialog
      title={`Edit the details of order #${order.number}`}
      description={`The customer is notified by email of the changes.${
        followUps.length > 0
          ? ` Replacements and exchanges keep their own details: also correct ${followUps.join(", ")}.`
          : ""
      }`}
      form={form}
      submitLabel="Save details"
      failure="Nothing was saved."
      send={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          {...form.field("customerName")}
          name="contact-customerName"
          label={order.gift ? "Recipient" : "Name"}
          maxLength={200}
        />
        <Field
          {...form.field("email")}
          name="contact-email"
          label="Email"
          hint="Links mailed to the old address stop working."
          type="email"
          inputMode="email"
          maxLength={254}
        />
        {canChangeAddress ? (
          <AddressInputs country={shipping.country} countries={countries} bind={bind} />
        ) : (
          <p className="text-small text-ink-muted sm:col-span-2">
            The address cannot be changed: part of the order has shipped, or it is cancelled.
          </p>
        )}
        <CheckedPhone
          {...form.field("phone")}
          name="contact-phone"
          label="Phone"
          optional
          country={shipping.country}
        />
      </div>
      {fields.waiveDifference && (
        <Banner tone="warning" title={fields.waiveDifference}>
          Keep the total, or correct the address.
        </Banner>
      )}
      {(fields.waiveDifference || form.values.waiveDifference) && (
        <Switch
          {...form.field("waiveDifference")}
          name="contact-waive"
          label="Keep the total anyway"
          hint="Nothing more is charged, and nothing is refunded."
        />
      )}
    </FormDialog>
  );
}
