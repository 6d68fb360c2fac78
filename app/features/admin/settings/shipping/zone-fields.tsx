import Plus from "lucide-react/icons/plus";
import { countryName } from "../../../../../domain/shared/country.ts";
import type { ShippingPolicy } from "../../../../../domain/shipping/shipping-policy.ts";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { Switch } from "../../kit/switch.tsx";
import { RowButtons, swapped } from "../row-buttons.tsx";
import type { SettingsField } from "../settings-section.tsx";
import { useRows } from "../use-rows.ts";
import { CountryPicker } from "./country-picker.tsx";
import { OptionFields } from "./option-fields.tsx";
import { newOption } from "./shipping-drafts.ts";

type Zone = ShippingPolicy["zones"][number];

/** One zone: its countries, and how parcels go there. */
export function ZoneFields({
  path,
  zone,
  zones,
  field,
  canBeRest,
  onChange,
  onUp,
  onDown,
  onRemove,
}: {
  path: `shipping.zones.${number}`;
  zone: Zone;
  zones: readonly Zone[];
  field: SettingsField;
  /** Only the last one can be for all other countries. */
  canBeRest: boolean;
  onChange: (zone: Zone) => void;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onRemove: (() => void) | null;
}) {
  const { countries, options } = zone;
  const title = zoneTitle(countries);
  const rows = useRows(`${path}.options`);
  const taken = new Set(zones.flatMap((one) => (one === zone || one.countries === "*" ? [] : one.countries)));
  const setOptions = (next: Zone["options"]) => onChange({ ...zone, options: next });
  return (
    <fieldset
      id={path}
      tabIndex={-1}
      className="grid gap-4 rounded-sm border border-line p-[clamp(.875rem,3vw,1.25rem)]"
    >
      <legend className="sr-only">{title}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p aria-hidden="true" className="font-semibold wrap-anywhere">
          {title}
        </p>
        <RowButtons what={`zone: ${title}`} onUp={onUp} onDown={onDown} onRemove={onRemove} />
      </div>
      {(canBeRest || countries === "*") && (
        <Switch
          name={`${path}.rest`}
          label="All other countries"
          checked={countries === "*"}
          onChange={(isRest) => onChange({ ...zone, countries: isRest ? "*" : [] })}
        />
      )}
      {countries !== "*" && <CountryPicker {...field(`${path}.countries`)} value={countries} taken={taken} />}
      <ol className="grid gap-4">
        {options.map((option, index) => (
          <OptionFields
            key={option.id}
            path={`${path}.options.${index}`}
            option={option}
            field={field}
            onUp={index > 0 ? () => setOptions(swapped(options, index, index - 1)) : null}
            onDown={index < options.length - 1 ? () => setOptions(swapped(options, index, index + 1)) : null}
            onRemove={
              options.length > 1
                ? () =>
                    rows.remove({ index, count: options.length, name: option.name || "The option" }, () =>
                      setOptions(options.filter((one) => one !== option)),
                    )
                : null
            }
          />
        ))}
      </ol>
      <div>
        <Button
          id={rows.addId}
          variant="quiet"
          size="small"
          disabled={options.length >= 10}
          onClick={() => rows.add(options.length, "name", () => setOptions([...options, newOption()]))}
        >
          <Icon glyph={Plus} size="small" /> Add an option
        </Button>
        <span role="status" className="sr-only">
          {rows.news}
        </span>
      </div>
    </fieldset>
  );
}

/** "Canada, Mexico" */
export function zoneTitle(countries: Zone["countries"]): string {
  if (countries === "*") return "All other countries";
  if (countries.length === 0) return "New zone";
  const [first = "", ...others] = countries.map((code) => countryName(code) ?? code);
  return others.length < 3 ? [first, ...others].join(", ") : `${first} and ${others.length} others`;
}
