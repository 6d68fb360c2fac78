import type { TaxRate } from "../../../../domain/checkout/tax.ts";
import { countries, countryInSentence, countryName, statesOf } from "../../../../domain/shared/country.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { orNull } from "../../../ui/use-form.ts";
import { Switch } from "../kit/switch.tsx";
import { NumberField } from "./number-field.tsx";
import { RowButtons } from "./row-buttons.tsx";
import type { SettingsField } from "./settings-section.tsx";

/** The tax of one country or state. */
export function RateFields({
  path,
  rate,
  isIncluded,
  field,
  onCountry,
  onIncluded,
  onRemove,
}: {
  path: `tax.rates.${number}`;
  rate: TaxRate;
  /** Whether prices in its country include the tax. */
  isIncluded: boolean;
  field: SettingsField;
  onCountry: (country: string) => void;
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
          {...field(`${path}.country`)}
          label="Country"
          className="max-md:col-span-2"
          onChange={(event) => onCountry(event.target.value)}
        >
          {countries.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <StateField path={path} country={rate.country} field={field} />
        <NumberField {...field(`${path}.percent`)} label="Rate" unit="%" decimals={3} />
        <span className="self-end justify-self-end md:mt-6.5 md:self-start">
          <RowButtons what={`the rate of ${place}`} onUp={null} onDown={null} onRemove={onRemove} />
        </span>
        <Switch {...field(`${path}.onShipping`)} label="On shipping, too" className="col-span-full" />
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
  country,
  field,
}: Pick<Parameters<typeof RateFields>[0], "path" | "field"> & { country: string }) {
  const states = statesOf(country);
  const className = "max-md:col-span-2";
  if (!states) {
    return (
      <Field
        {...field(`${path}.state`, (typed) => typed.trim().toUpperCase() || null)}
        label="State code"
        optional
        maxLength={3}
        autoComplete="off"
        className={className}
      />
    );
  }
  return (
    <Select {...field(`${path}.state`, orNull)} label="State" className={className}>
      <option value="">Whole country</option>
      {states.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
