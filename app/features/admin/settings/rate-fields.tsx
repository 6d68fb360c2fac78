import type { TaxRate } from "../../../../domain/checkout/tax.ts";
import { countries, countryInSentence, countryName, statesOf } from "../../../../domain/shared/country.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Switch } from "../kit/switch.tsx";
import { NumberField } from "./number-field.tsx";
import { RowButtons } from "./row-buttons.tsx";
import type { FieldAt } from "./settings-section.tsx";

/** The tax of one country or state. */
export function RateFields({
  path,
  rate,
  isIncluded,
  at,
  onChange,
  onIncluded,
  onRemove,
}: {
  path: string;
  rate: TaxRate;
  /** Whether prices in its country include the tax. */
  isIncluded: boolean;
  at: FieldAt;
  onChange: (rate: TaxRate) => void;
  onIncluded: (isIncluded: boolean) => void;
  onRemove: () => void;
}) {
  const place = [rate.state, countryName(rate.country) ?? rate.country].filter(Boolean).join(", ");
  return (
    <li>
      <fieldset
        id={path}
        tabIndex={-1}
        className="grid grid-cols-2 items-start gap-x-3 gap-y-3 rounded-sm border border-line p-[clamp(.875rem,3vw,1.25rem)] md:grid-cols-[2fr_2fr_1fr_auto]"
      >
        <legend className="sr-only">Tax rate of {place}</legend>
        <Select
          {...at(`${path}.country`)}
          label="Country"
          value={rate.country}
          className="max-md:col-span-2"
          onChange={(event) => onChange({ ...rate, country: event.target.value, state: null })}
        >
          {countries.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <StateField path={path} rate={rate} at={at} onChange={onChange} />
        <NumberField
          {...at(`${path}.percent`)}
          label="Rate"
          unit="%"
          decimals={3}
          value={rate.percent}
          onChange={(percent) => onChange({ ...rate, percent })}
        />
        <span className="self-end justify-self-end md:mt-6.5 md:self-start">
          <RowButtons what={`the rate of ${place}`} onUp={null} onDown={null} onRemove={onRemove} />
        </span>
        <Switch
          name={`${path}.onShipping`}
          label="On shipping, too"
          checked={rate.onShipping}
          className="col-span-full"
          onChange={(onShipping) => onChange({ ...rate, onShipping })}
        />
        <Switch
          name={`${path}.isIncluded`}
          label={`Prices in ${countryInSentence(rate.country)} include it`}
          hint={
            isIncluded
              ? "Shoppers there pay prices and shipping as shown. The tax is a part of them."
              : undefined
          }
          checked={isIncluded}
          className="col-span-full"
          onChange={onIncluded}
        />
      </fieldset>
    </li>
  );
}

function StateField({
  path,
  rate,
  at,
  onChange,
}: Pick<Parameters<typeof RateFields>[0], "path" | "rate" | "at" | "onChange">) {
  const states = statesOf(rate.country);
  const frame = {
    ...at(`${path}.state`),
    value: rate.state ?? "",
    className: "max-md:col-span-2",
  };
  if (!states) {
    return (
      <Field
        {...frame}
        label="State code"
        optional
        maxLength={3}
        autoComplete="off"
        onChange={(event) => onChange({ ...rate, state: event.target.value.trim().toUpperCase() || null })}
      />
    );
  }
  return (
    <Select
      {...frame}
      label="State"
      onChange={(event) => onChange({ ...rate, state: event.target.value || null })}
    >
      <option value="">Whole country</option>
      {states.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
