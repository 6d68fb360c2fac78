import { type ComponentProps, useState } from "react";
import {
  type AddressPart,
  addressFormat,
  postalCodeWarning,
} from "../../../domain/address/address-format.ts";
import { statesOf } from "../../../domain/shared/country.ts";
import { Field } from "../../ui/field.tsx";
import { pressOver } from "../../ui/press-over.ts";
import { Select } from "../../ui/select.tsx";

const wide = "sm:col-span-2";

/** What ties a field to its form: name, value, problem, and whether it must be filled. */
type Bound = Pick<ComponentProps<typeof Field>, "name" | "required" | "optional" | "error"> & {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

/**
 * The fields of an address in its country's words and order, the country first; they stand in a grid of two columns.
 * `countries` are those that may be chosen, by code.
 */
export function AddressInputs({
  country,
  countries,
  bind,
}: {
  country: string;
  countries: readonly (readonly [code: string, name: string])[];
  bind: (name: AddressPart | "country") => Bound;
}) {
  const { parts, labels } = addressFormat(country);
  const place = parts.filter((part) => part !== "line1" && part !== "line2");
  return (
    <>
      <Select {...bind("country")} label="Country" autoComplete="country" className={wide}>
        {countries.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Field {...bind("line1")} label={labels.line1} autoComplete="address-line1" className={wide} />
      <Field {...bind("line2")} label={labels.line2} autoComplete="address-line2" className={wide} />
      {place.map((part, index) => {
        // Of an odd number the first has a row to itself, unless it is a postal code, which stands beside its city.
        const alone = place[0] === "postalCode" ? place.length - 1 : 0;
        const isAlone = place.length % 2 === 1 && index === alone;
        const frame = { ...bind(part), label: labels[part], className: isAlone ? wide : "" };
        if (part === "postalCode") return <PostalCodeInput key={part} {...frame} country={country} />;
        if (part === "state") return <StateInput key={part} {...frame} country={country} />;
        return <Field key={part} {...frame} autoComplete="address-level2" />;
      })}
    </>
  );
}

type PartProps = Bound & { label: string; className: string; country: string };

function StateInput({ country, ...frame }: PartProps) {
  const states = statesOf(country);
  if (!states) return <Field {...frame} autoComplete="address-level1" />;
  return (
    <Select {...frame} autoComplete="address-level1">
      <option value="">Choose one</option>
      {states.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function PostalCodeInput({ country, ...frame }: PartProps) {
  const { value } = frame;
  // Only once it has been typed to its end: half a postal code always looks wrong.
  const [typed, setTyped] = useState(value);
  const warning = value === typed ? postalCodeWarning(country, value) : null;
  const isNumber = /^\d+$/.test(addressFormat(country).postalCode?.example ?? "");
  return (
    <Field
      {...frame}
      autoComplete="postal-code"
      inputMode={isNumber ? "numeric" : "text"}
      autoCapitalize="characters"
      onBlur={() => pressOver().then(() => setTyped(value))}
      hint={warning && <span className="font-medium text-warning">{warning}</span>}
    />
  );
}
