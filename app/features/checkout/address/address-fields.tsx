import { type ChangeEvent, useState } from "react";
import { postalCodeWarning, statesOf } from "../../../../domain/shared/country.ts";
import { EmailField } from "../../../ui/email-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { pressOver } from "../../../ui/press-over.ts";
import { Select } from "../../../ui/select.tsx";
import type { FieldProblems } from "../use-checkout.ts";
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
  const bind = binder(props);
  const { country, postalCode } = props.form;
  const states = statesOf(country);
  // Only once it has been typed to its end: half a postal code always looks wrong.
  const [typedPostalCode, setTypedPostalCode] = useState(postalCode);
  const warning = postalCode === typedPostalCode ? postalCodeWarning(country, postalCode) : null;
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>Shipping Address</legend>
      <div className={grid}>
        <Field {...bind("line1")} label="Street Address" autoComplete="address-line1" className={wide} />
        <Field
          {...bind("line2")}
          label="Apartment, suite, etc."
          autoComplete="address-line2"
          className={wide}
        />
        <Field {...bind("city")} label="City" autoComplete="address-level2" className={wide} />
        {states ? (
          <Select {...bind("state")} label="State/Province" autoComplete="address-level1">
            <option value="">Choose one</option>
            {states.map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        ) : (
          <Field {...bind("state")} label="State/Province" autoComplete="address-level1" />
        )}
        <Field
          {...bind("postalCode")}
          label="ZIP/Postal Code"
          autoComplete="postal-code"
          inputMode={country === "US" ? "numeric" : "text"}
          autoCapitalize="characters"
          onBlur={() => pressOver().then(() => setTypedPostalCode(postalCode))}
          hint={warning && <span className="font-medium text-warning">{warning}</span>}
        />
        <Select {...bind("country")} label="Country" autoComplete="country" className={wide}>
          {countries.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
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
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
        onChange(name, event.target.value),
    };
  };
}
