import { useState } from "react";
import { EmailField } from "../../ui/email-field.tsx";
import { Field } from "../../ui/field.tsx";
import { pressOver } from "../../ui/press-over.ts";
import { TextButton } from "../../ui/text-button.tsx";
import type { Bound } from "./address-inputs.tsx";

type Labelled = Bound & { label: string };

/** An e-mail address, which is asked about where its domain looks mistyped; `onTake` gets the one that was meant. */
export function CheckedEmail({ onTake, ...bound }: Labelled & { onTake: (email: string) => void }) {
  const [meant, setMeant] = useState<{ typed: string; email: string } | null>(null);
  const check = async (typed: string) => {
    if (!typed.includes("@")) return;
    const email = await suggestion(typed.trim());
    await pressOver();
    setMeant(email === null ? null : { typed, email });
  };
  const email = meant?.typed === bound.value ? meant.email : null;
  return (
    <EmailField
      {...bound}
      onBlur={({ target }) => void check(target.value)}
      hint={
        <span role="status">
          {email === null ? (
            "We send the order confirmation here."
          ) : (
            <TextButton onClick={() => onTake(email)}>Did you mean {email}?</TextButton>
          )}
        </span>
      }
      className="sm:col-span-2"
    />
  );
}

/** A phone number, read by the rules of the address's country; what cannot be read is warned about, and taken. */
export function CheckedPhone({ country, ...bound }: Labelled & { country: string }) {
  const [doubted, setDoubted] = useState<string | null>(null);
  const check = async (typed: string) => {
    if (typed.trim() === "") return;
    const isFine = await isPhone(typed, country);
    await pressOver();
    setDoubted(isFine ? null : typed);
  };
  return (
    <Field
      {...bound}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      onBlur={({ target }) => void check(target.value)}
      hint={
        <span role="status">
          {doubted === bound.value && doubted !== "" ? (
            <span className="font-medium text-warning">
              Please check this number. From another country it starts with + and the country’s code.
            </span>
          ) : (
            "Only used if the carrier has a question."
          )}
        </span>
      }
      className="sm:col-span-2"
    />
  );
}

// Both lists are more than the rest of the form: they come when a field is left. Without them, nothing is asked.

async function suggestion(email: string): Promise<string | null> {
  try {
    const { suggestedEmail } = await import("./email-typos.ts");
    return suggestedEmail(email);
  } catch {
    return null;
  }
}

async function isPhone(typed: string, country: string): Promise<boolean> {
  try {
    const { isPhoneOf } = await import("./phone-rules.ts");
    return isPhoneOf(typed, country);
  } catch {
    return true;
  }
}
