import { withIncludedTax } from "../../../../domain/checkout/included-tax.ts";
import type { TaxRate } from "../../../../domain/checkout/tax.ts";
import {
  countries,
  countryInSentence,
  countryName,
  countryStates,
} from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { homeCountry } from "../../../../domain/shipping/shipping-policy.ts";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { choiceOrNull } from "../../../ui/use-form.ts";
import { cartTotals } from "../../cart/cart-totals.ts";
import { Switch } from "../kit/switch.tsx";
import { NumberField } from "./number-field.tsx";
import { AddRow, RowButtons, type RowFields, useRows } from "./rows.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsValues } from "./use-settings-draft.ts";

const maxExamples = 3;
const newRate: TaxRate = { country: homeCountry, state: null, percent: 0, onShipping: false };

/** Tax rates by country and state. `exampleCents`: product price for examples. */
export function TaxSection({ exampleCents }: { exampleCents: number }) {
  const { values, set } = useSettings();
  const { tax, taxIncludedIn } = values;
  const setIncluded = (country: string, isIncluded: boolean) => {
    const otherCountries = taxIncludedIn.filter((code) => code !== country);
    set("taxIncludedIn", isIncluded ? [...otherCountries, country].toSorted() : otherCountries);
  };
  const setRates = (rates: TaxRate[]) => {
    set("tax", { ...tax, rates });
    // If a country's rate is removed and added again, whether prices include it must be chosen again.
    const remainingCountries = taxIncludedIn.filter((code) => rates.some(({ country }) => country === code));
    if (remainingCountries.length < taxIncludedIn.length) set("taxIncludedIn", remainingCountries);
  };
  const rows = useRows("tax.rates", tax.rates, setRates);
  const isOn = tax.mode === "table";
  return (
    <SettingsSection
      id="tax"
      intro="Tax is charged after discounts: on top of prices, or included in prices, as in Europe. A state’s own rate replaces its country’s. Places without a rate are not taxed."
      groups={["tax", "taxIncludedIn"]}
      preview={() => <Examples values={values} exampleCents={exampleCents} />}
    >
      {(field) => (
        <div className="grid gap-4">
          <Switch
            name="tax.mode"
            label="Charge tax"
            checked={isOn}
            onChange={(isTaxed) => set("tax", { ...tax, mode: isTaxed ? "table" : "none" })}
          />
          {isOn && (
            <>
              {tax.rates.length === 0 && (
                <p className="text-ui text-ink-muted">
                  No rates yet: nobody is charged tax. Add the first one.
                </p>
              )}
              <ul className="grid gap-4">
                {tax.rates.map((rate, index) => (
                  <RateFields
                    // biome-ignore lint/suspicious/noArrayIndexKey: a rate has no identity besides its place
                    key={index}
                    path={`tax.rates.${index}`}
                    rate={rate}
                    isIncluded={taxIncludedIn.includes(rate.country)}
                    onIncludedChange={(isIncluded) => setIncluded(rate.country, isIncluded)}
                    field={field}
                    onCountryChange={(country) =>
                      setRates(tax.rates.with(index, { ...rate, country, state: null }))
                    }
                    actions={rows.actions(index, "The rate")}
                  />
                ))}
              </ul>
              <AddRow rows={rows} label="Add a rate" onAdd={() => rows.add(newRate, "country")} />
            </>
          )}
        </div>
      )}
    </SettingsSection>
  );
}

/** The price of one bottle with tax in the first regions of the table. */
function Examples({ values, exampleCents }: { values: SettingsValues; exampleCents: number }) {
  const tax = withIncludedTax(values.tax, values.taxIncludedIn);
  if (tax.mode === "none" || tax.rates.length === 0) return <p>Tax: $0.00, everywhere.</p>;
  return tax.rates.slice(0, maxExamples).map(({ country, state }) => {
    const bottle = { price: exampleCents, quantity: 1 };
    const { totals } = cartTotals({ ...values, tax }, [bottle], { country, state });
    const [shipping, taxAmount, total] = [totals.shipping, totals.tax, totals.total].map(formatCents);
    return (
      <p key={`${country} ${state}`}>
        One bottle at {formatCents(exampleCents)} to {placeName(country, state)}: shipping {shipping},{" "}
        {totals.taxIncluded
          ? `total ${total}, which includes ${taxAmount} ${totals.taxIncluded.name}.`
          : `tax ${taxAmount}, total ${total}.`}
      </p>
    );
  });
}

function placeName(country: string, state: string | null): string {
  if (state === null) return countryInSentence(country);
  return (
    countryStates(country)?.find(([code]) => code === state)?.[1] ?? `${state}, ${countryInSentence(country)}`
  );
}

/** The tax of one country or state. */
function RateFields({
  path,
  rate,
  isIncluded,
  field,
  onCountryChange,
  onIncludedChange,
  actions,
}: RowFields<`tax.rates.${number}`> & {
  rate: TaxRate;
  /** Whether prices in its country include the tax. */
  isIncluded: boolean;
  onCountryChange: (country: string) => void;
  onIncludedChange: (isIncluded: boolean) => void;
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
          onChange={(event) => onCountryChange(event.target.value)}
        >
          <Options of={countries} />
        </Select>
        <StateField path={path} country={rate.country} field={field} />
        <NumberField {...field(`${path}.percent`)} label="Rate" unit="%" decimals={3} />
        <span className="self-end justify-self-end md:mt-6.5 md:self-start">
          <RowButtons name={`the rate of ${place}`} {...actions} />
        </span>
        <Switch {...field(`${path}.onShipping`)} label="On shipping, too" className="col-span-full" />
        <Switch
          name={`${path}.isIncluded`}
          label={`Prices in ${countryInSentence(rate.country)} include tax`}
          hint={
            isIncluded
              ? "Shoppers there pay the prices and shipping shown, which include the tax."
              : undefined
          }
          checked={isIncluded}
          className="col-span-full"
          onChange={onIncludedChange}
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
  const states = countryStates(country);
  const className = "max-md:col-span-2";
  if (!states) {
    return (
      <Field
        {...field(`${path}.state`, (text) => text.trim().toUpperCase() || null)}
        label="State code"
        optional
        maxLength={3}
        autoComplete="off"
        className={className}
      />
    );
  }
  return (
    <Select {...field(`${path}.state`, choiceOrNull)} label="State" className={className}>
      <option value="">Whole country</option>
      <Options of={states} />
    </Select>
  );
}
