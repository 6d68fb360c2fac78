import X from "lucide-react/icons/x";
import { type ReactNode, useId, useState } from "react";
import { flushSync } from "react-dom";
import { countries, countryCode, countryName } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import {
  deliveryDays,
  type ShippingOption,
  type ShippingPolicy,
} from "../../../../domain/shipping/shipping-policy.ts";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { FieldProps } from "../../../ui/use-form.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { Fold } from "../kit/fold.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { Switch } from "../kit/switch.tsx";
import { NumberField } from "./number-field.tsx";
import { AddRow, RowButtons, type RowFields, useRows } from "./rows.tsx";

type Zone = ShippingPolicy["zones"][number];

/** One shipping zone: its countries and shipping options. */
export function ZoneFields({
  path,
  zone,
  zones,
  field,
  mayCoverAllOthers,
  onChange,
  actions,
}: RowFields<`shipping.zones.${number}`> & {
  zone: Zone;
  zones: readonly Zone[];
  /** Whether the zone may cover all other countries; only the last one may. */
  mayCoverAllOthers: boolean;
  onChange: (zone: Zone) => void;
}) {
  const { countries, options } = zone;
  const title = zoneTitle(countries);
  const takenCountries = new Set(
    zones.flatMap((otherZone) =>
      otherZone === zone || otherZone.countries === "*" ? [] : otherZone.countries,
    ),
  );
  const buttons = <RowButtons name={`zone: ${title}`} {...actions} />;
  const rows = useRows(`${path}.options`, options, (next) => onChange({ ...zone, options: next }));
  return (
    <fieldset
      id={path}
      tabIndex={-1}
      className="grid min-w-0 gap-4 rounded-sm border border-line p-[clamp(.875rem,3vw,1.25rem)]"
    >
      <legend className="sr-only">{title}</legend>
      {(mayCoverAllOthers || countries === "*") && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Switch
            name={`${path}.rest`}
            label="All other countries"
            className="flex-1 basis-32"
            checked={countries === "*"}
            onChange={(coversAllOthers) => onChange({ ...zone, countries: coversAllOthers ? "*" : [] })}
          />
          {countries === "*" && buttons}
        </div>
      )}
      {countries !== "*" && (
        <CountryPicker
          {...field(`${path}.countries`)}
          value={countries}
          takenCountries={takenCountries}
          buttons={buttons}
        />
      )}
      <Switch
        name={`${path}.liveRates`}
        label="Live rates at checkout"
        hint={
          // Shown only in the first zone.
          zone === zones[0] &&
          "Checkout shows what carriers ask for the shopper’s address. Free shipping stays free, and the prices below hold if no answer comes in time. Needs a key of EasyPost or Shippo."
        }
        checked={zone.liveRates ?? false}
        onChange={(isLive) => onChange(withLiveRates(zone, isLive))}
      />
      <ol className="-mx-[clamp(.875rem,3vw,1.25rem)] divide-y divide-line border-y border-line">
        {options.map((option, index) => (
          <OptionFields
            key={option.id}
            path={`${path}.options.${index}`}
            option={option}
            field={field}
            actions={rows.actions(index, option.name || "The option", {
              movableCount: options.length,
              minCount: 1,
            })}
          />
        ))}
      </ol>
      <AddRow
        rows={rows}
        label="Add an option"
        disabled={options.length >= 10}
        onAdd={() => rows.add(newOption(), "name")}
      />
    </fieldset>
  );
}

/** Such as "Canada, Mexico". */
export function zoneTitle(countries: Zone["countries"]): string {
  if (countries === "*") return "All other countries";
  if (countries.length === 0) return "New zone";
  const [first = "", ...others] = countries.map((code) => countryName(code) ?? code);
  return others.length < 3 ? [first, ...others].join(", ") : `${first} and ${others.length} others`;
}

function OptionFields({
  path,
  option,
  field,
  actions,
}: RowFields<`shipping.zones.${number}.options.${number}`> & { option: ShippingOption }) {
  const [isNew] = useState(option.name === "");
  const title = option.name || "New option";
  const fields = {
    name: field(`${path}.name`),
    price: field(`${path}.price`),
    freeFrom: field(`${path}.freeFrom`),
    least: field(`${path}.days.0`),
    most: field(`${path}.days.1`),
  };
  const hasError = Object.values(fields).some(({ error }) => error);
  return (
    <li>
      <fieldset id={path} tabIndex={-1} className="min-w-0">
        <legend className="sr-only">{title}</legend>
        <Fold level="h3" title={title} state={optionText(option)} hasError={hasError} isOpen={isNew}>
          <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4 md:grid-cols-[repeat(auto-fit,minmax(max(min(6rem,100%),20%),1fr))]">
            <div className="col-span-full flex items-start gap-2">
              <Field {...fields.name} label="Option" maxLength={60} autoComplete="off" className="grow" />
              <span className="mt-[1.6rem]">
                <RowButtons name={option.name || "this option"} {...actions} />
              </span>
            </div>
            <MoneyField {...fields.price} label="Price" />
            <MoneyField {...fields.freeFrom} label="Free from" optional hint="This much or more" />
            <NumberField {...fields.least} label="Days, at least" />
            <NumberField {...fields.most} label="Days, at most" />
          </div>
        </Fold>
      </fieldset>
    </li>
  );
}

/** Such as "$5.95, free from $50.00, 3-5 days"; null while a number is invalid. */
function optionText(option: ShippingOption): ReactNode {
  const { price, freeFrom, days } = option;
  if ([price, freeFrom, ...days].some(Number.isNaN)) return null;
  return (
    <>
      <span className="whitespace-nowrap">{price === 0 ? "Free" : formatCents(price)},</span>{" "}
      {freeFrom !== null && (
        <>
          free from <span className="whitespace-nowrap">{formatCents(freeFrom)},</span>{" "}
        </>
      )}
      <span className="whitespace-nowrap">{deliveryDays(option).replace("business ", "")}</span>
    </>
  );
}

/**
 * Countries by name, as chips; more are added by typing. `takenCountries`: countries of other zones. `buttons`: the buttons
 * of the zone.
 */
function CountryPicker({
  name,
  value,
  takenCountries,
  buttons,
  error,
  onChange,
}: FieldProps<string[]> & { takenCountries: ReadonlySet<string>; buttons: ReactNode }) {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const listId = useId();

  function add(input: string) {
    const code = countryCode(input);
    if (input.trim() === "") return;
    if (code === null) return setRefusal(`There is no country called “${input.trim()}”.`);
    if (takenCountries.has(code)) return setRefusal(`${countryName(code)} is in another zone already.`);
    if (!value.includes(code)) onChange([...value, code]);
    setText("");
    setRefusal(null);
  }

  /** Removes a country and focuses the next one, or the field that adds one. */
  function remove(code: string, list: Element | null) {
    // `value.length - 2` is the last index after the removal.
    const index = Math.min(value.indexOf(code), value.length - 2);
    flushSync(() => onChange(value.filter((listedCode) => listedCode !== code)));
    const next = list?.querySelectorAll("button")[index] ?? document.getElementById(name);
    next?.focus();
  }
  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        {value.length > 0 ? (
          <ul className="flex flex-1 basis-32 flex-wrap gap-2" aria-label="Countries of this zone">
            {value.map((code) => (
              <li key={code}>
                <button
                  type="button"
                  className="inline-flex min-h-11 items-center gap-1.5 rounded-full bg-cream px-3.5 text-small font-medium hover:bg-sand"
                  aria-label={`Remove ${countryName(code) ?? code}`}
                  onClick={({ currentTarget }) => remove(code, currentTarget.closest("ul"))}
                >
                  {countryName(code) ?? code} <Icon glyph={X} size="small" />
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <p className="self-center font-semibold">New zone</p>
        )}
        {buttons}
      </div>
      <div className="flex flex-wrap items-start gap-2.5 sm:max-w-100">
        <Field
          name={name}
          label="Add a country"
          className="flex-1 basis-28"
          list={listId}
          autoComplete="off"
          value={text}
          error={refusal ?? error}
          onChange={(event) => {
            setText(event.target.value);
            setRefusal(null);
            // Without an InputEvent, the text was chosen from the list and not typed.
            if (!(event.nativeEvent instanceof InputEvent)) add(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add(text);
          }}
        />
        <datalist id={listId}>
          {countries
            .filter(([code]) => !takenCountries.has(code) && !value.includes(code))
            .map(([code, country]) => (
              <option key={code} value={country} />
            ))}
        </datalist>
        <PanelButton className="mt-[1.6rem] min-h-12.5!" onClick={() => add(text)}>
          Add
        </PanelButton>
      </div>
    </div>
  );
}

/** A zone without live rates has no `liveRates`. */
function withLiveRates({ liveRates: _, ...zone }: Zone, isLive: boolean): Zone {
  return isLive ? { ...zone, liveRates: true } : zone;
}

/** An empty zone, to be filled in. */
export function newZone(): ShippingPolicy["zones"][number] {
  return { id: newId("zone"), countries: [], options: [newOption()] };
}

function newOption(): ShippingOption {
  return { id: newId("option"), name: "", price: 0, freeFrom: null, days: [3, 5] };
}

/** A random id, because ids are never reused: orders and open checkouts refer to an option by its id. */
function newId(kind: string): string {
  return `${kind}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
}
