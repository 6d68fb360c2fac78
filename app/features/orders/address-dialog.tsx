import { useSearchParams } from "react-router";
import {
  type AddressPart,
  addressFormat,
  missingParts,
  missingText,
} from "../../../domain/address/address-format.ts";
import { costsTheSame } from "../../../domain/orders/order-actions.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { countries, countryStates } from "../../../domain/shared/country.ts";
import { Field } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { AddressInputs, CheckedPhone, withCountry } from "../address/address-inputs.tsx";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";

/** `hasAddressLookup`: whether addresses are suggested. */
export type DeliveryPolicies = Pick<ShopSettings, "shipping" | "tax"> & { hasAddressLookup: boolean };

type FieldName = AddressPart | "country" | "customerName" | "phone";
type Form = Record<FieldName, string>;

/** Edits the address before the parcel ships. Offers only countries where the order costs the same. */
export function AddressDialog({
  order,
  onSend,
  policies,
  ...dialog
}: ActionDialogProps & { policies: DeliveryPolicies }) {
  const form = useForm(
    () => ({
      ...emptyAddress,
      ...withoutNull(order.shipping ?? {}),
      customerName: order.customerName,
      phone: order.phone ?? "",
    }),
    { check: missingEntries, problems: dialog.action.problem?.fields ?? {} },
  );
  const { values, errors } = form;
  const [search] = useSearchParams();
  const { parts, required } = addressFormat(values.country);
  const fill = (suggestion: Partial<Form>) => {
    // The country first, because states depend on it.
    const movedAddress = withCountry(values, suggestion.country ?? values.country);
    const newParts = addressFormat(movedAddress.country).parts.flatMap((part) =>
      suggestion[part] === undefined ? [] : [[part, suggestion[part]]],
    );
    form.set({ ...movedAddress, ...Object.fromEntries(newParts) });
  };
  const bind = (name: FieldName) => {
    const isRequired = name !== "phone" && (!isAddressPart(name) || required.has(name));
    return {
      ...form.field(name),
      id: `address-${name}`,
      required: isRequired,
      optional: !isRequired,
      error: errors[name] ?? errors[`shipping.${name}`],
      ...(name === "country" && {
        onChange: ({ target }: { target: { value: string } }) => form.set(withCountry(values, target.value)),
      }),
    };
  };
  const submit = () => {
    if (!form.submit()) {
      const messages = missingEntries(values);
      const firstMissing = (["customerName", "country", ...parts] as const).find((name) => messages[name]);
      return document.getElementById(`address-${firstMissing}`)?.focus();
    }
    const { customerName, phone, ...shipping } = values;
    onSend((token) =>
      callApi("POST /api/orders/:id/address", {
        params: { id: order.id },
        body: { customerName, phone, shipping, token },
      }),
    );
  };
  const states = (country: string) => countryStates(country)?.map(([code]) => code) ?? [""];
  const servedCountries = countries.filter(
    ([code]) =>
      code === order.shipping?.country ||
      states(code).some((state) => costsTheSame(order, { country: code, state }, policies)),
  );
  return (
    <ActionDialog
      {...dialog}
      onSubmit={submit}
      title="Change the address"
      description={`Where should order #${order.number} go? Nothing is charged. If shipping or tax differs there, we’ll tell you.`}
      cancelLabel="Keep address"
      confirmLabel="Save address"
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
          country={values.country}
          countries={servedCountries}
          bind={bind}
          lookup={
            policies.hasAddressLookup && {
              inputId: "address-line1",
              order: { order: order.id, token: search.get("token") },
              onPick: fill,
            }
          }
        />
        <CheckedPhone {...bind("phone")} label="Phone Number" country={values.country} />
      </div>
    </ActionDialog>
  );
}

const emptyAddress = { line1: "", line2: "", city: "", state: "", postalCode: "", country: "" };

/** Error messages by field. */
function missingEntries(form: Form): Partial<Form> & Record<string, string> {
  const parts = missingParts(form.country, form).map((part) => [part, missingText(part, form.country)]);
  const hasNoName = form.customerName.trim() === "";
  return {
    ...Object.fromEntries(parts),
    ...(hasNoName && { customerName: "Enter the recipient’s name" }),
  };
}

function isAddressPart(name: FieldName): name is AddressPart {
  return name !== "country" && name !== "customerName" && name !== "phone";
}

function withoutNull(address: Record<string, string | null>): Partial<Form> {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null));
}
