import { useState } from "react";
import { type AddressPart, addressFormat } from "../../../../../domain/address/address-format.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { countries, statesOf } from "../../../../../domain/shared/country.ts";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { AddressInputs } from "../../../address/address-inputs.tsx";
import { CheckedPhone } from "../../../address/contact-inputs.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailWords } from "../../kit/use-mail-words.ts";

type Name = AddressPart | "country" | "customerName" | "email" | "phone";

/** Whom a paid order is for, and until it ships where it goes. */
export default function ContactDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const isMovable = order.may.cancel && order.shipments.length === 0;
  const address = order.shipping ?? {
    line1: "",
    line2: null,
    city: "",
    state: "",
    postalCode: "",
    country: "US",
  };
  const [form, setForm] = useState<Record<Name, string>>({
    ...address,
    line2: address.line2 ?? "",
    customerName: order.customerName,
    email: order.email,
    phone: order.phone ?? "",
  });
  const [isWaived, setWaived] = useState(false);
  // Stays that of the order as it was opened: what another saves meanwhile is not overwritten.
  const [version] = useState(order.contactVersion);
  const mailWords = useMailWords();
  const action = useAdminAction("PATCH /api/admin/orders/:id/contact", {
    success: { title: "Details saved", description: mailWords("The customer gets an email.") },
    failure: null,
  });
  const { fields } = action;
  const change = (name: Name, value: string) =>
    setForm((before) => ({
      ...before,
      [name]: value,
      ...(name === "country" && statesOf(value) !== statesOf(before.country) && { state: "" }),
    }));
  const bind = (name: Name) => ({
    name: `contact-${name}`,
    value: form[name],
    optional: name === "phone" || (isPart(name) && !addressFormat(form.country).required.has(name)),
    error: fields[name] ?? fields[`shipping.${name}`],
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  });
  const isAddressTyped = form.line1.trim() !== "";

  async function save() {
    const { customerName, email, phone, ...shipping } = form;
    const answer = await action.run({
      params: { id: order.id },
      body: {
        customerName,
        email,
        phone,
        shipping: isMovable && isAddressTyped ? shipping : null,
        version,
        waiveDifference: isWaived,
      },
    });
    if (answer.ok) onClose();
  }

  return (
    <FormDialog
      id="contact"
      title={`Edit the details of order #${order.number}`}
      description="The customer is told by email what has changed."
      action={action}
      submitLabel="Save details"
      busyText="Saving..."
      failure="Nothing was saved."
      isReady
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...bind("customerName")} label={order.gift ? "Recipient" : "Name"} maxLength={200} />
        <Field {...bind("email")} label="Email" type="email" inputMode="email" maxLength={254} />
        {isMovable ? (
          <AddressInputs country={form.country} countries={countries} bind={bind} />
        ) : (
          <p className="text-small text-ink-muted sm:col-span-2">
            The address stays: something of the order has left, or it is cancelled.
          </p>
        )}
        <CheckedPhone {...bind("phone")} label="Phone" country={form.country} />
      </div>
      {fields.waiveDifference && (
        <Banner tone="warning" title={fields.waiveDifference}>
          Keep the total, or correct the address.
        </Banner>
      )}
      {(fields.waiveDifference || isWaived) && (
        <Switch
          name="contact-waive"
          label="Keep the total all the same"
          hint="Nothing more is charged, and nothing is given back."
          checked={isWaived}
          onChange={setWaived}
        />
      )}
    </FormDialog>
  );
}

const others: readonly string[] = ["country", "customerName", "email", "phone"];
function isPart(name: Name): name is AddressPart {
  return !others.includes(name);
}
