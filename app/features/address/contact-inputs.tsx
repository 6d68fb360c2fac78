import { useState } from "react";
import { EmailField } from "../../ui/email-field.tsx";
import { Field } from "../../ui/field.tsx";
import { pressOver } from "../../ui/press-over.ts";
import { TextButton } from "../../ui/text-button.tsx";
import type { FieldBinding } from "./address-inputs.tsx";

type LabelledBinding = FieldBinding & { label: string };

/** An e-mail field that suggests a correction where the domain looks mistyped; `onTake` gets the corrected address. */
export function CheckedEmail({ onTake, ...binding }: LabelledBinding & { onTake: (email: string) => void }) {
  const [correction, setCorrection] = useState<{ typed: string; email: string } | null>(null);
  const check = async (typed: string) => {
    if (!typed.includes("@")) return;
    const email = await correctedEmail(typed.trim());
    await pressOver();
    setCorrection(email === null ? null : { typed, email });
  };
  const email = correction?.typed === binding.value ? correction.email : null;
  return (
    <EmailField
      {...binding}
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

/** A phone field that warns about a number that is invalid in the address's country, and accepts it nevertheless. */
export function CheckedPhone({ country, ...binding }: LabelledBinding & { country: string }) {
  const [warning, setWarning] = useState<{ typed: string; text: string } | null>(null);
  const check = async (typed: string) => {
    if (typed.trim() === "") return;
    const text = await phoneWarning(typed, country);
    await pressOver();
    setWarning(text === null ? null : { typed, text });
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
          {warning && warning.typed === binding.value ? (
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

// Both lists are larger than the rest of the form, so they are loaded on blur. If loading fails, the entry is not checked.

async function correctedEmail(email: string): Promise<string | null> {
  try {
    const { suggestedEmail } = await import("./email-typos.ts");
    return suggestedEmail(email);
  } catch {
    return null;
  }
}

async function phoneWarning(typed: string, country: string): Promise<string | null> {
  try {
    const { phoneDoubt } = await import("../../../domain/address/phone-rules.ts");
    return phoneDoubt(typed, country);
  } catch {
    return null;
  }
}
