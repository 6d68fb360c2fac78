import Plus from "lucide-react/icons/plus";
import { withIncludedTax } from "../../../../domain/checkout/included-tax.ts";
import type { TaxRate } from "../../../../domain/checkout/tax.ts";
import { countryInSentence, statesOf } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { homeCountry } from "../../../../domain/shipping/shipping-policy.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { cartTotals } from "../../cart/cart-totals.ts";
import { Switch } from "../kit/switch.tsx";
import { RateFields } from "./rate-fields.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { useRows } from "./use-rows.ts";
import type { SettingsDraft } from "./use-settings-draft.ts";

const examplesMax = 3;
const newRate: TaxRate = { country: homeCountry, state: null, percent: 0, onShipping: false };

/** Whether tax is charged, and where how much. `bottleCents`: an example's price. */
export function TaxSection({ draft, bottleCents }: { draft: SettingsDraft; bottleCents: number }) {
  const { tax, taxIncludedIn } = draft.values;
  const setIncluded = (country: string, isIncluded: boolean) => {
    const others = taxIncludedIn.filter((code) => code !== country);
    draft.set("taxIncludedIn", isIncluded ? [...others, country].toSorted() : others);
  };
  const setRates = (rates: TaxRate[]) => {
    draft.set("tax", { ...tax, rates });
    // Adding a country’s rate again later requires choosing again whether its prices include tax.
    const kept = taxIncludedIn.filter((code) => rates.some(({ country }) => country === code));
    if (kept.length < taxIncludedIn.length) draft.set("taxIncludedIn", kept);
  };
  const rows = useRows("tax.rates");
  const isOn = tax.mode === "table";
  return (
    <SettingsSection
      id="tax"
      title="Tax"
      intro="Tax is charged after discounts: on top of prices, or as a part of them where they include it, as in Europe. A state’s own rate replaces its country’s. Places without a rate are not taxed."
      groups={["tax", "taxIncludedIn"]}
      draft={draft}
      preview={() => <Examples draft={draft} bottleCents={bottleCents} />}
    >
      {(field) => (
        <div className="grid gap-4">
          <Switch
            name="tax.mode"
            label="Charge tax"
            checked={isOn}
            onChange={(on) => draft.set("tax", { ...tax, mode: on ? "table" : "none" })}
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
                    // biome-ignore lint/suspicious/noArrayIndexKey: a rate is what its place in the list says
                    key={index}
                    path={`tax.rates.${index}`}
                    rate={rate}
                    isIncluded={taxIncludedIn.includes(rate.country)}
                    onIncluded={(isIncluded) => setIncluded(rate.country, isIncluded)}
                    field={field}
                    onCountry={(country) =>
                      setRates(tax.rates.with(index, { ...rate, country, state: null }))
                    }
                    onRemove={() =>
                      rows.remove({ index, count: tax.rates.length, name: "The rate" }, () =>
                        setRates(tax.rates.filter((one) => one !== rate)),
                      )
                    }
                  />
                ))}
              </ul>
              <div>
                <Button
                  id={rows.addId}
                  variant="secondary"
                  size="small"
                  onClick={() =>
                    rows.add(tax.rates.length, "country", () => setRates([...tax.rates, newRate]))
                  }
                >
                  <Icon glyph={Plus} size="small" /> Add a rate
                </Button>
                <span role="status" className="sr-only">
                  {rows.news}
                </span>
              </div>
            </>
          )}
        </div>
      )}
    </SettingsSection>
  );
}

/** The price of one bottle with tax in the first regions of the table. */
function Examples({ draft: { values }, bottleCents }: { draft: SettingsDraft; bottleCents: number }) {
  const tax = withIncludedTax(values.tax, values.taxIncludedIn);
  if (tax.mode === "none" || tax.rates.length === 0) return <p>Tax: $0.00, everywhere.</p>;
  return (
    <div className="grid gap-1">
      {tax.rates.slice(0, examplesMax).map(({ country, state }) => {
        const bottle = { price: bottleCents, quantity: 1 };
        const { totals } = cartTotals({ ...values, tax }, [bottle], { country, state });
        const [shipping, taxed, total] = [totals.shipping, totals.tax, totals.total].map(formatCents);
        return (
          <p key={`${country} ${state}`}>
            One bottle at {formatCents(bottleCents)} to {placeName(country, state)}: shipping {shipping},{" "}
            {totals.taxIncluded
              ? `total ${total}, which includes ${taxed} ${totals.taxIncluded.name}.`
              : `tax ${taxed}, total ${total}.`}
          </p>
        );
      })}
    </div>
  );
}

function placeName(country: string, state: string | null): string {
  if (state === null) return countryInSentence(country);
  return (
    statesOf(country)?.find(([code]) => code === state)?.[1] ?? `${state}, ${countryInSentence(country)}`
  );
}
