import { lazy, Suspense } from "react";
import { giftFromMax, giftNoteMax } from "../../../../domain/orders/gift-limits.ts";
import { Field } from "../../../ui/field.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { AddressInputs, type FieldBinding } from "../../address/address-inputs.tsx";
import { CheckedEmail, CheckedPhone } from "../../address/contact-inputs.tsx";
import type { FieldProblems } from "../checkout-problems.ts";
import { type AddressField, type AddressForm, isRequired } from "./address-form.ts";

// Loaded only in shops that suggest addresses. If loading fails, addresses are typed in full.
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
  const recipient = isGift ? "Recipient’s " : "";
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>Contact Information</legend>
      <GiftFields bind={bind} />
      <div className={grid}>
        <Field {...bind("firstName")} label={`${recipient}First Name`} autoComplete="given-name" />
        <Field {...bind("lastName")} label={`${recipient}Last Name`} autoComplete="family-name" />
        <CheckedEmail
          {...bind("email")}
          label={isGift ? "Your Email Address" : "Email Address"}
          onTake={(email) => props.onChange("email", email)}
        />
        <CheckedPhone {...bind("phone")} label={`${recipient}Phone Number`} country={props.form.country} />
      </div>
    </fieldset>
  );
}

/** `countries` are those the shop ships to. `onFill` takes the parts of a suggested address; false: none are suggested. */
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

/** Whether the order is a gift, with the texts for its packing slip. The box opens them by CSS, also without scripts. */
function GiftFields({ bind }: { bind: (name: AddressField) => FieldBinding }) {
  const { value, onChange } = bind("gift");
  const note = bind("giftNote");
  const noteLength = note.value.length;
  return (
    <div className="group mb-2">
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          id="gift"
          name="gift"
          checked={value !== ""}
          onChange={({ target }) => onChange({ target: { value: target.checked ? "on" : "" } })}
          className="size-5 shrink-0 accent-forest-800"
        />
        This is a gift
      </label>
      <div className="hidden gap-4.5 pt-1 pb-2.5 group-has-checked:grid">
        <p className="text-ui text-ink-muted">
          Enter the recipient’s name and address below, and your own email. The receipt and delivery news go
          only to you. The packing slip shows your note and no prices.
        </p>
        <TextArea
          {...note}
          label="Gift note"
          maxLength={giftNoteMax}
          hint={
            noteLength === 0
              ? `Up to ${giftNoteMax} characters.`
              : `${noteLength} of ${giftNoteMax} characters`
          }
        />
        <Field
          {...bind("giftFrom")}
          label="Your name"
          hint="Printed below the note."
          maxLength={giftFromMax}
          autoComplete="name"
        />
      </div>
    </div>
  );
}
