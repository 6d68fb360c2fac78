import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";
import { type AddressPart, addressFormat } from "../../../domain/address/address-format.ts";
import { countryStates } from "../../../domain/shared/country.ts";
import { waitForPointerRelease } from "../../ui/browser/pointer-release.ts";
import { EmailField, Field, Options, Select } from "../../ui/field.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import type { SuggestionsProps } from "./address-suggestions.tsx";

// Loaded only in shops that suggest addresses. If loading fails, addresses are typed in full.
const AddressSuggestions = lazy(() =>
  import("./address-suggestions.tsx").then(
    ({ AddressSuggestions: component }) => ({ default: component }),
    () => ({ default: () => null }),
  ),
);

const wide = "sm:col-span-2";

/** Properties that connect a field to its form. */
type FieldBinding = Pick<ComponentProps<typeof Field>, "name" | "required" | "optional" | "error"> & {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

/** Changes the country. The state is kept only if both countries have the same states, or neither has any. */
export function withCountry<Address extends { country: string; state: string }>(
  address: Address,
  country: string,
): Address {
  const keepsState = countryStates(country) === countryStates(address.country);
  return { ...address, country, state: keepsState ? address.state : "" };
}

/**
 * The country, then the other fields of an address, in the country's order and with its labels. For a grid of two columns;
 * on phones only the short fields are side by side. With `lookup`, addresses are suggested below the street's field.
 */
export function AddressInputs({
  country,
  countries,
  bind,
  lookup = false,
}: {
  country: string;
  countries: readonly (readonly [code: string, name: string])[];
  bind: (name: AddressPart | "country") => FieldBinding;
  lookup?: false | Omit<SuggestionsProps, "country" | "countries">;
}) {
  const { parts, labels } = addressFormat(country);
  const localityParts = parts.filter((part) => part !== "line1" && part !== "line2");
  return (
    <>
      <Select {...bind("country")} label="Country" autoComplete="country" className={wide}>
        <Options of={countries} />
      </Select>
      <div className={`relative ${wide}`}>
        <Field {...bind("line1")} label={labels.line1} autoComplete="address-line1" />
        {lookup && (
          <Suspense>
            <AddressSuggestions country={country} countries={countries} {...lookup} />
          </Suspense>
        )}
      </div>
      <Field {...bind("line2")} label={labels.line2} autoComplete="address-line2" className={wide} />
      <div className={`grid grid-cols-2 gap-[inherit] ${wide}`}>
        {localityParts.map((part, index) => {
          // With an odd number of fields, one field fills a row: the first, or the last if the postal code comes first
          // and is beside the city.
          const wideIndex = localityParts[0] === "postalCode" ? localityParts.length - 1 : 0;
          const isWide = localityParts.length % 2 === 1 && index === wideIndex;
          const props = { ...bind(part), label: labels[part], className: isWide ? "col-span-2" : "" };
          if (part === "postalCode") return <PostalCodeInput key={part} {...props} country={country} />;
          if (part === "state") return <StateInput key={part} {...props} country={country} />;
          return <Field key={part} {...props} autoComplete="address-level2" />;
        })}
      </div>
    </>
  );
}

type PartProps = FieldBinding & { label: string; className: string; country: string };

function StateInput({ country, ...props }: PartProps) {
  const states = countryStates(country);
  if (!states) return <Field {...props} autoComplete="address-level1" />;
  return (
    <Select {...props} autoComplete="address-level1">
      <option value="">Choose one</option>
      <Options of={states} />
    </Select>
  );
}

function PostalCodeInput({ country, ...props }: PartProps) {
  const { value } = props;
  // The postal code is checked when the field is left: an unfinished postal code always looks wrong.
  const [lastCheck, setLastCheck] = useState({ postalCode: "", country, warning: "" });
  const check = async (postalCode: string) => {
    const warning = (await loadPostalCodeWarning(country, postalCode)) ?? "";
    await waitForPointerRelease();
    setLastCheck({ postalCode, country, warning });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks a prefilled value, and again when the country changes
  useEffect(() => void check(value), [country]);
  const isChecked = value === lastCheck.postalCode && country === lastCheck.country;
  return (
    <Field
      {...props}
      autoComplete="postal-code"
      inputMode={addressFormat(country).hasNumericCodes ? "numeric" : "text"}
      autoCapitalize="characters"
      onBlur={({ target }) => void check(target.value)}
      hint={
        isChecked &&
        lastCheck.warning && <span className="font-medium text-warning">{lastCheck.warning}</span>
      }
    />
  );
}

/** Loads the patterns of all countries on demand; no warning if they cannot be loaded. */
async function loadPostalCodeWarning(country: string, postalCode: string): Promise<string | null> {
  try {
    const { postalCodeWarning } = await import("../../../domain/address/postal-codes.ts");
    return postalCodeWarning(country, postalCode);
  } catch {
    return null;
  }
}

type LabeledBinding = FieldBinding & { label: string };

/** An e-mail field that suggests a correction if the domain looks mistyped; `onAccept` gets the corrected address. */
export function CheckedEmail({
  onAccept,
  ...binding
}: LabeledBinding & { onAccept: (email: string) => void }) {
  const [correction, setCorrection] = useState<{ entry: string; email: string } | null>(null);
  const check = async (entry: string) => {
    if (!entry.includes("@")) return;
    const email = await loadSuggestedEmail(entry.trim());
    await waitForPointerRelease();
    setCorrection(email === null ? null : { entry, email });
  };
  const email = correction?.entry === binding.value ? correction.email : null;
  return (
    <EmailField
      {...binding}
      onBlur={({ target }) => void check(target.value)}
      hint={
        <span role="status">
          {email === null ? (
            "We send the order confirmation here."
          ) : (
            <TextButton onClick={() => onAccept(email)}>Did you mean {email}?</TextButton>
          )}
        </span>
      }
      className="sm:col-span-2"
    />
  );
}

/** A phone field that warns about a number that is invalid in the address's country, but still accepts it. */
export function CheckedPhone({ country, ...binding }: LabeledBinding & { country: string }) {
  const [warning, setWarning] = useState<{ phone: string; text: string } | null>(null);
  const check = async (phone: string) => {
    if (phone.trim() === "") return;
    const text = await loadPhoneWarning(phone, country);
    await waitForPointerRelease();
    setWarning(text === null ? null : { phone, text });
  };
  return (
    <Field
      {...binding}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      onBlur={({ target }) => void check(target.value)}
      hint={
        <span role="status">
          {warning && warning.phone === binding.value ? (
            <span className="font-medium text-warning">{warning.text}</span>
          ) : (
            "Only used if the carrier has a question."
          )}
        </span>
      }
      className="sm:col-span-2"
    />
  );
}

// The e-mail domains and phone rules are larger than the form, so they load on blur. If that fails, the entry is not checked.

async function loadSuggestedEmail(email: string): Promise<string | null> {
  try {
    const { suggestedEmail } = await import("./email-typos.ts");
    return suggestedEmail(email);
  } catch {
    return null;
  }
}

async function loadPhoneWarning(phone: string, country: string): Promise<string | null> {
  try {
    const { phoneWarning } = await import("../../../domain/address/phone-rules.ts");
    return phoneWarning(phone, country);
  } catch {
    return null;
  }
}
