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
  const [doubted, setDoubted] = useState<{ typed: string; because: string } | null>(null);
  const check = async (typed: string) => {
    if (typed.trim() === "") return;
    const because = await doubt(typed, country);
    await pressOver();
    setDoubted(because === null ? null : { typed, because });
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
          {doubted && doubted.typed === bound.value ? (
            <span className="font-medium text-warning">{doubted.because}</span>
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

async function doubt(typed: string, country: string): Promise<string | null> {
  try {
    const { phoneDoubt } = await import("../../../domain/address/phone-rules.ts");
    return phoneDoubt(typed, country);
  } catch {
    return null;
  }
}
