import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { AddressInputs } from "../../address/address-inputs.tsx";
import type { FieldProblems } from "../refusals.ts";
import { type AddressField, type AddressForm, isRequired } from "./address-form.ts";

type FieldsProps = {
  form: AddressForm;
  problems: FieldProblems;
  onChange: (field: AddressField, value: string) => void;
};

const grid = "grid gap-4.5 sm:grid-cols-2";
const legend = "mb-4.5 type-display text-h3";
const wide = "sm:col-span-2";

export function ContactFields(props: FieldsProps) {
  const bind = binder(props);
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>Contact Information</legend>
      <div className={grid}>
        <Field {...bind("firstName")} label="First Name" autoComplete="given-name" />
        <Field {...bind("lastName")} label="Last Name" autoComplete="family-name" />
        <EmailField {...bind("email")} hint="We send the order confirmation here." className={wide} />
        <Field
          {...bind("phone")}
          label="Phone Number"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          hint="Only used if the carrier has a question."
          className={wide}
        />
      </div>
    </fieldset>
  );
}

/** `countries` are those the shop ships to. */
export function ShippingFields({
  countries,
  ...props
}: FieldsProps & { countries: readonly (readonly [code: string, name: string])[] }) {
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>Shipping Address</legend>
      <div className={grid}>
        <AddressInputs country={props.form.country} countries={countries} bind={binder(props)} />
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
