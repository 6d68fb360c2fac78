import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { type AddressPart, addressFormat } from "../../../domain/address/address-format.ts";
import { statesOf } from "../../../domain/shared/country.ts";
import { Field } from "../../ui/field.tsx";
import { pressOver } from "../../ui/press-over.ts";
import { Select } from "../../ui/select.tsx";

const wide = "sm:col-span-2";

/** What ties a field to its form: name, value, problem, and whether it must be filled. */
export type Bound = Pick<ComponentProps<typeof Field>, "name" | "required" | "optional" | "error"> & {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

/** The address in another country; its state is emptied if the country has other states, or none. */
export function inCountry<Address extends { country: string; state: string }>(
  address: Address,
  country: string,
): Address {
  const keepsState = statesOf(country) === statesOf(address.country);
  return { ...address, country, state: keepsState ? address.state : "" };
}

/**
 * The fields of an address in its country's words and order, the country first; they stand in a grid of two columns.
 * `countries` are those that may be chosen, by code; `suggestions` hang below the street.
 */
export function AddressInputs({
  country,
  countries,
  bind,
  suggestions,
}: {
  country: string;
  countries: readonly (readonly [code: string, name: string])[];
  bind: (name: AddressPart | "country") => Bound;
  suggestions?: ReactNode;
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
      <div className={`relative ${wide}`}>
        <Field {...bind("line1")} label={labels.line1} autoComplete="address-line1" />
        {suggestions}
      </div>
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
  const [checked, setChecked] = useState({ typed: "", country, warning: "" });
  const check = async (typed: string) => {
    const warning = (await warningOf(country, typed)) ?? "";
    await pressOver();
    setChecked({ typed, country, warning });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before, and again for another country
  useEffect(() => void check(value), [country]);
  const isChecked = value === checked.typed && country === checked.country;
  return (
    <Field
      {...frame}
      autoComplete="postal-code"
      inputMode={addressFormat(country).hasNumericCodes ? "numeric" : "text"}
      autoCapitalize="characters"
      onBlur={({ target }) => void check(target.value)}
      hint={
        isChecked && checked.warning && <span className="font-medium text-warning">{checked.warning}</span>
      }
    />
  );
}

/** The patterns of all countries come behind the form; without them, nothing is warned about. */
async function warningOf(country: string, postalCode: string): Promise<string | null> {
  try {
    const { postalCodeWarning } = await import("../../../domain/address/postal-code-warning.ts");
    return postalCodeWarning(country, postalCode);
  } catch {
    return null;
  }
}
