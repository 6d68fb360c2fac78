import { lazy, Suspense } from "react";
import { Field } from "../../../ui/field.tsx";
import { AddressInputs } from "../../address/address-inputs.tsx";
import { CheckedEmail, CheckedPhone } from "../../address/contact-inputs.tsx";
import type { FieldProblems } from "../refusals.ts";
import { type AddressField, type AddressForm, isRequired } from "./address-form.ts";
import { GiftFields } from "./gift-fields.tsx";

// Only where addresses are suggested. Without it, they are typed.
const AddressSuggestions = lazy(() =>
  import("../../address/address-suggestions.tsx").then(
    ({ AddressSuggestions: one }) => ({ default: one }),
    () => ({ default: () => null }),
  ),
);

type FieldsProps = {
  form: AddressForm;
  problems: FieldProblems;
  onChange: (field: AddressField, value: string) => void;
};

const grid = "grid gap-4.5 sm:grid-cols-2";
const legend = "mb-4.5 type-display text-h3";

export function ContactFields(props: FieldsProps) {
  const bind = binder(props);
  const isGift = props.form.gift !== "";
  const whose = isGift ? "Recipient’s " : "";
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>Contact Information</legend>
      <GiftFields bind={bind} />
      <div className={grid}>
        <Field {...bind("firstName")} label={`${whose}First Name`} autoComplete="given-name" />
        <Field {...bind("lastName")} label={`${whose}Last Name`} autoComplete="family-name" />
        <CheckedEmail
          {...bind("email")}
          label={isGift ? "Your Email Address" : "Email Address"}
          onTake={(email) => props.onChange("email", email)}
        />
        <CheckedPhone {...bind("phone")} label={`${whose}Phone Number`} country={props.form.country} />
      </div>
    </fieldset>
  );
}

/** `countries` are those the shop ships to. `onFill`: addresses are suggested, and this takes the parts of one. */
export function ShippingFields({
  countries,
  onFill,
  ...props
}: FieldsProps & {
  countries: readonly (readonly [code: string, name: string])[];
  onFill: false | ((parts: Partial<AddressForm>) => void);
}) {
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>{props.form.gift ? "Recipient’s Address" : "Shipping Address"}</legend>
      <div className={grid}>
        <AddressInputs
          country={props.form.country}
          countries={countries}
          bind={binder(props)}
          suggestions={
            onFill && (
              <Suspense>
                <AddressSuggestions
                  inputId="line1"
                  country={props.form.country}
                  countries={countries}
                  onPick={onFill}
                />
              </Suspense>
            )
          }
        />
      </div>
    </fieldset>
  );
}

/** What ties a field to the form: its name (also its id), value, problem, and whether it must be filled. */
function binder({ form, problems, onChange }: FieldsProps) {
  return (name: AddressField) => {
    const required = isRequired(name, form.country);
    return {
      name,
      value: form[name],
      required,
      optional: !required,
      error: problems[name],
      onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
    };
  };
}
