import type { ShippingOption } from "../../../../../domain/shipping/shipping-policy.ts";
import { Field } from "../../../../ui/field.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { NumberField } from "../number-field.tsx";
import { RowButtons } from "../row-buttons.tsx";
import type { SettingsField } from "../settings-section.tsx";

/** One way of shipping within a zone. */
export function OptionFields({
  path,
  option,
  field,
  onUp,
  onDown,
  onRemove,
}: {
  path: `shipping.zones.${number}.options.${number}`;
  option: ShippingOption;
  field: SettingsField;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onRemove: (() => void) | null;
}) {
  return (
    <li className="border-t border-line pt-4">
      <fieldset
        id={path}
        tabIndex={-1}
        className="grid grid-cols-2 items-start gap-x-3 gap-y-4 xl:grid-cols-[1.5fr_1fr_1.2fr]"
      >
        <legend className="sr-only">{option.name || "New option"}</legend>
        <Field
          {...field(`${path}.name`)}
          label="Option"
          maxLength={60}
          autoComplete="off"
          className="max-xl:col-span-2"
        />
        <MoneyField {...field(`${path}.price`)} label="Price" />
        <MoneyField
          {...field(`${path}.freeFrom`)}
          label="Free over"
          optional
          hint="Also at exactly this amount"
        />
        <span className="max-xl:col-span-2 max-xl:row-start-4 justify-self-end xl:col-start-3 xl:row-start-2 xl:mt-6.5">
          <RowButtons what={option.name || "this option"} onUp={onUp} onDown={onDown} onRemove={onRemove} />
        </span>
        <div className="grid grid-cols-2 gap-3 max-xl:col-span-full xl:col-start-1">
          <NumberField {...field(`${path}.days.0`)} label="Days, least" />
          <NumberField {...field(`${path}.days.1`)} label="Days, most" />
        </div>
      </fieldset>
    </li>
  );
}
