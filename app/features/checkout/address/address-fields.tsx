import type { ReactNode } from "react";
import { maxGiftFromLength, maxGiftNoteLength } from "../../../../domain/orders/order-limits.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import {
  deliveryDays,
  type ShippingOption,
  shippingPriceCents,
} from "../../../../domain/shipping/shipping-policy.ts";
import { Field, TextArea } from "../../../ui/field.tsx";
import { AddressInputs, CheckedEmail, CheckedPhone } from "../../address/address-inputs.tsx";
import type { CartTotals } from "../../cart/cart-totals.ts";
import type { FieldProblems } from "../checkout-request.ts";
import { type AddressField, type AddressForm, isRequired } from "./address-form.ts";

type FieldsProps = {
  form: AddressForm;
  problems: FieldProblems;
  onChange: (field: AddressField, value: string) => void;
};

const grid = "grid gap-4.5 sm:grid-cols-2";
const legend = "mb-4.5 type-display text-h3";

/** `children` are below the e-mail address. */
export function ContactFields({ children, ...props }: FieldsProps & { children: ReactNode }) {
  const bind = fieldBinder(props);
  const isGift = props.form.gift !== "";
  const recipient = isGift ? "Recipient’s " : "";
  return (
    <fieldset className="min-w-0">
      <legend className={legend}>Contact Information</legend>
      <div className={grid}>
        <CheckedEmail
          {...bind("email")}
          label={isGift ? "Your Email Address" : "Email Address"}
          onAccept={(email) => props.onChange("email", email)}
        />
        {children}
        <div className={`grid gap-4.5 sm:col-span-2 ${isGift ? "sm:grid-cols-2" : "grid-cols-2"}`}>
          <Field {...bind("firstName")} label={`${recipient}First Name`} autoComplete="given-name" />
          <Field {...bind("lastName")} label={`${recipient}Last Name`} autoComplete="family-name" />
        </div>
        <CheckedPhone {...bind("phone")} label={`${recipient}Phone Number`} country={props.form.country} />
      </div>
    </fieldset>
  );
}

/** `countries` are those the shop ships to. `onFill` receives a suggested address; false if addresses are not suggested. */
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
          bind={fieldBinder(props)}
          lookup={onFill && { inputId: "line1", onPick: onFill }}
        />
      </div>
    </fieldset>
  );
}

function fieldBinder({ form, problems, onChange }: FieldsProps) {
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

/**
 * Whether the order is a gift, with the texts for its packing slip. CSS shows the texts while the box is checked, so
 * that this works without scripts.
 */
export function GiftFields(props: FieldsProps) {
  const bind = fieldBinder(props);
  const { value, onChange } = bind("gift");
  const note = bind("giftNote");
  const noteLength = note.value.length;
  return (
    <div className="group rounded-sm border border-line px-4 py-1">
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
      <div className="hidden gap-4.5 pt-1 pb-4 group-has-checked:grid">
        <p className="text-ui text-ink-muted">
          Enter the recipient’s name and address above, and your own email. The receipt and delivery news go
          only to you. The packing slip shows your note and no prices.
        </p>
        <TextArea
          {...note}
          label="Gift note"
          maxLength={maxGiftNoteLength}
          hint={
            noteLength === 0
              ? `Up to ${maxGiftNoteLength} characters.`
              : `${noteLength} of ${maxGiftNoteLength} characters`
          }
        />
        <Field
          {...bind("giftFrom")}
          label="Your name"
          hint="Printed below the note."
          maxLength={maxGiftFromLength}
          autoComplete="name"
        />
      </div>
    </div>
  );
}

/** The shipping options of the chosen country with their costs for this cart. */
export function ShippingOptions({
  pricing: { options, option: chosenOption, totals, discount },
  arrivals,
  note,
  hasPrices,
  onChoose,
  error,
}: {
  pricing: CartTotals;
  /** A sentence below the options; null for none. */
  note: string | null;
  /** Arrival text by option id: "Arrives Nov 27 – Dec 2". */
  arrivals: Record<string, string>;
  /** False until the cart has been loaded: whether an option is free is unknown until then. */
  hasPrices: boolean;
  onChoose: (id: string) => void;
  error?: string | undefined;
}) {
  return (
    <fieldset
      id="shippingOption"
      tabIndex={-1}
      className="min-w-0"
      aria-describedby={error && "shipping-error"}
    >
      <legend className="mb-4.5 type-display text-h3">Shipping Method</legend>
      {options.length === 0 && <p className="text-ink-muted">We don’t ship to this country yet.</p>}
      <div className="grid gap-2">
        {options.map((option) => {
          const isFree = discount?.kind === "free_shipping";
          const cost = isFree ? 0 : shippingPriceCents(option, totals.subtotal);
          return (
            <label
              key={option.id}
              className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-[min(.75rem,3.75vw)] rounded-sm border border-line-strong bg-surface px-[min(.875rem,4.375vw)] py-2 text-ui has-checked:border-forest-800 has-checked:bg-cream-soft has-checked:inset-ring has-checked:inset-ring-forest-800"
            >
              <input
                type="radio"
                name="shippingOption"
                value={option.id}
                checked={option.id === chosenOption?.id}
                onChange={() => onChoose(option.id)}
                className="size-5 accent-forest-800"
              />
              <span>
                <span className="font-medium">{option.name}</span>
                {/* Clips the dot at the start of a line. */}
                <span className="block overflow-x-clip text-small text-ink-muted">
                  <span className="-ml-3.5 flex flex-wrap max-sm:grid">
                    {[deliveryDays(option), arrivals[option.id]].map(
                      (text) =>
                        text && (
                          <span
                            key={text}
                            className="relative pl-3.5 before:absolute before:left-1.25 before:content-['·']"
                          >
                            {text}{" "}
                          </span>
                        ),
                    )}
                  </span>
                </span>
              </span>
              {/* Carriers' prices arrive later and must not rewrap the delivery days, so their column has a minimum width. */}
              <span className={note === null ? "tabular-nums" : "min-w-14 text-right tabular-nums"}>
                {hasPrices ? (
                  cost === 0 ? (
                    "Free"
                  ) : (
                    formatCents(cost)
                  )
                ) : (
                  <noscript>{priceText(option)}</noscript>
                )}
              </span>
            </label>
          );
        })}
      </div>
      {note !== null && <p className="mt-2.5 text-small text-ink-muted">{note}</p>}
      {error && (
        <p id="shipping-error" className="mt-1.5 text-caption font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function priceText({ price, freeFrom }: ShippingOption): string {
  return freeFrom === null ? formatCents(price) : `${formatCents(price)}, free over ${formatCents(freeFrom)}`;
}
