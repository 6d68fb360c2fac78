import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { type AddressPart, addressFormat } from "../../../domain/address/address-format.ts";
import { statesOf } from "../../../domain/shared/country.ts";
import { Field } from "../../ui/field.tsx";
import { pressOver } from "../../ui/press-over.ts";
import { Select } from "../../ui/select.tsx";

const wide = "sm:col-span-2";

/** Properties that connect a field to its form. */
export type FieldBinding = Pick<ComponentProps<typeof Field>, "name" | "required" | "optional" | "error"> & {
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
 * Country, then the other fields of an address with the labels and the order of that country, for a grid of two columns.
 * `suggestions` float below the street.
 */
export function AddressInputs({
  country,
  countries,
  bind,
  suggestions,
}: {
  country: string;
  countries: readonly (readonly [code: string, name: string])[];
  bind: (name: AddressPart | "country") => FieldBinding;
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
        // With an odd number of fields one fills a row: the first, or the last where a postal code stands beside its city.
        const wideIndex = place[0] === "postalCode" ? place.length - 1 : 0;
        const isWide = place.length % 2 === 1 && index === wideIndex;
        const props = { ...bind(part), label: labels[part], className: isWide ? wide : "" };
        if (part === "postalCode") return <PostalCodeInput key={part} {...props} country={country} />;
        if (part === "state") return <StateInput key={part} {...props} country={country} />;
        return <Field key={part} {...props} autoComplete="address-level2" />;
      })}
    </>
  );
}

type PartProps = FieldBinding & { label: string; className: string; country: string };

function StateInput({ country, ...props }: PartProps) {
  const states = statesOf(country);
  if (!states) return <Field {...props} autoComplete="address-level1" />;
  return (
    <Select {...props} autoComplete="address-level1">
      <option value="">Choose one</option>
      {states.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function PostalCodeInput({ country, ...props }: PartProps) {
  const { value } = props;
  // Checked when the field is left: an unfinished postal code always looks wrong.
  const [checked, setChecked] = useState({ typed: "", country, warning: "" });
  const check = async (typed: string) => {
    const warning = (await postalCodeWarningOf(country, typed)) ?? "";
    await pressOver();
    setChecked({ typed, country, warning });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a value that is there from the start, and again when the country changes
  useEffect(() => void check(value), [country]);
  const isChecked = value === checked.typed && country === checked.country;
  return (
    <Field
      {...props}
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

/** Loads the patterns of all countries on demand; no warning where they cannot be loaded. */
async function postalCodeWarningOf(country: string, postalCode: string): Promise<string | null> {
  try {
    const { postalCodeWarning } = await import("../../../domain/address/postal-code-warning.ts");
    return postalCodeWarning(country, postalCode);
  } catch {
    return null;
  }
}
