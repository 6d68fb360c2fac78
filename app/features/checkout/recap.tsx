import type { AddressField } from "./address/address-form.ts";
import { addressLine, customerName, giftText } from "./checkout-request.ts";
import type { OpenOrder } from "./use-checkout.ts";

/** What step 1 came to, each part with the way back to its field. */
export function Recap({
  order: { form, optionName },
  onChange,
  disabled,
}: {
  order: Pick<OpenOrder, "form" | "optionName">;
  onChange: (field: AddressField) => void;
  disabled: boolean;
}) {
  const gift = giftText(form);
  const rows = [
    { name: "Contact", value: form.email, field: "email" },
    { name: "Ship to", value: `${customerName(form)}, ${addressLine(form)}`, field: "line1" },
    { name: "Shipping", value: optionName, field: "shippingOption" },
    ...(gift === null ? [] : [{ name: "Gift", value: gift, field: "gift" } as const]),
  ] as const;
  return (
    <dl className="grid divide-y divide-line rounded-md border border-line">
      {rows.map(({ name, value, field }) => (
        <div key={name} className="flex flex-wrap items-center gap-x-3 px-4.5 py-2 text-ui">
          <dt className="w-18 text-ink-muted sm:w-22">{name}</dt>
          <dd className="flex-1 basis-24 wrap-anywhere">{value}</dd>
          <dd>
            <button
              type="button"
              disabled={disabled}
              className="inline-flex min-h-11 items-center link text-small disabled:cursor-default disabled:text-disabled-ink"
              aria-label={`Change ${name.toLowerCase()}`}
              onClick={() => onChange(field)}
            >
              Change
            </button>
          </dd>
        </div>
      ))}
    </dl>
  );
}
