import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import type { AddressPart } from "../../../domain/address/address-format.ts";
import { addressFormat, missingParts, missingText } from "../../../domain/address/address-format.ts";
import { costsTheSame } from "../../../domain/orders/order-actions.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { countries, statesOf } from "../../../domain/shared/country.ts";
import { Field } from "../../ui/field.tsx";
import { AddressInputs } from "../address/address-inputs.tsx";
import { CheckedPhone } from "../address/contact-inputs.tsx";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";

// Only where addresses are suggested. Without it, they are typed.
const AddressSuggestions = lazy(() =>
  import("../address/address-suggestions.tsx").then(
    ({ AddressSuggestions: one }) => ({ default: one }),
    () => ({ default: () => null }),
  ),
);

/** `hasAddressLookup`: whether addresses are suggested. */
export type DeliveryPolicies = Pick<ShopSettings, "shipping" | "tax"> & { hasAddressLookup: boolean };

type Name = AddressPart | "country" | "customerName" | "phone";
type Form = Record<Name, string>;

/** Where the parcel goes, to be changed before it ships. Offers the countries where it costs what was paid. */
export function AddressDialog({
  order,
  onSend,
  policies,
  ...dialog
}: ActionDialogProps & { policies: DeliveryPolicies }) {
  const [form, setForm] = useState<Form>(() => ({
    ...{ line1: "", line2: "", city: "", state: "", postalCode: "", country: "" },
    ...withoutNull(order.shipping ?? {}),
    customerName: order.customerName,
    phone: order.phone ?? "",
  }));
  const [wrong, setWrong] = useState<Partial<Form>>({});
  const [search] = useSearchParams();
  const told = dialog.action.problem?.fields ?? {};
  const { parts } = addressFormat(form.country);
  const change = (name: Name, value: string) => {
    setForm((before) => ({
      ...before,
      [name]: value,
      // Another country has other states, or none.
      ...(name === "country" && statesOf(value) !== statesOf(before.country) && { state: "" }),
    }));
    setWrong(({ [name]: _, ...others }) => others);
  };
  const fill = (picked: Partial<Form>) => {
    // The country first: it decides which states there are.
    if (picked.country !== undefined) change("country", picked.country);
    for (const name of parts) if (picked[name] !== undefined) change(name, picked[name]);
  };
  const bind = (name: Name) => {
    const required =
      name !== "phone" && (isPart(name) ? addressFormat(form.country).required.has(name) : true);
    return {
      name,
      id: `address-${name}`,
      value: form[name],
      required,
      optional: !required,
      error: wrong[name] ?? told[name] ?? told[`shipping.${name}`],
      onChange: (event: { target: { value: string } }) => change(name, event.target.value),
    };
  };
  const submit = () => {
    const missing: Partial<Form> = Object.fromEntries(
      missingParts(form.country, form).map((part) => [part, missingText(part, form.country)]),
    );
    if (form.customerName.trim() === "") missing.customerName = "Enter the recipient’s name";
    setWrong(missing);
    const first = (["customerName", "country", ...parts] as const).find((name) => missing[name]);
    if (first) return document.getElementById(`address-${first}`)?.focus();
    const { customerName, phone, ...shipping } = form;
    onSend((token) =>
      callApi("POST /api/orders/:id/address", {
        params: { id: order.id },
        body: { customerName, phone, shipping, token },
      }),
    );
  };
  const states = (country: string) => statesOf(country)?.map(([code]) => code) ?? [""];
  const served = countries.filter(
    ([code]) =>
      code === order.shipping?.country ||
      states(code).some((state) => costsTheSame(order, { country: code, state }, policies)),
  );
  return (
    <ActionDialog
      {...dialog}
      onSubmit={submit}
      title="Change the address"
      description={`Where order #${order.number} goes. Nothing else changes, and nothing is charged.`}
      keep="Keep address"
      confirm="Save address"
      busyText="Saving..."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          {...bind("customerName")}
          label="Recipient"
          autoComplete="name"
          maxLength={200}
          className="sm:col-span-2"
        />
        <AddressInputs
          country={form.country}
          countries={served}
          bind={bind}
          suggestions={
            policies.hasAddressLookup && (
              <Suspense>
                <AddressSuggestions
                  inputId="address-line1"
                  country={form.country}
                  countries={served}
                  order={{ order: order.id, token: search.get("token") }}
                  onPick={fill}
                />
              </Suspense>
            )
          }
        />
        <CheckedPhone {...bind("phone")} label="Phone Number" country={form.country} />
      </div>
    </ActionDialog>
  );
}

function isPart(name: Name): name is AddressPart {
  return name !== "country" && name !== "customerName" && name !== "phone";
}

/** Without what the order lacks. */
function withoutNull(address: Record<string, string | null>): Partial<Form> {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null));
}
