import { useState } from "react";
import { formatCents, parseMoney } from "../../../../domain/shared/money.ts";
import { controlClass, FieldFrame, type FrameProps } from "../../../ui/field.tsx";

/**
 * An amount, typed in dollars and passed on in cents. Invalid input is passed on as NaN, so that no form saves an older
 * or rounded amount: the field shows an error and every schema rejects NaN. With `optional`, an empty field is null.
 */
export function MoneyField({
  value,
  onChange,
  optional,
  maxCents,
  error,
  disabled,
  onClear,
  ...frame
}: Omit<FrameProps, "optional"> & {
  value: number | null;
  maxCents?: number;
  disabled?: boolean;
  /** Called in place of `onChange` when the field is emptied; sets the amount that the field shows after losing the focus. */
  onClear?: () => void;
} & (
    | { optional: true; onChange: (cents: number | null) => void }
    | { optional?: false; onChange: (cents: number) => void }
  )) {
  /** The typed text; null while the field shows the formatted amount. */
  const [text, setText] = useState<string | null>(null);
  const [wasBlurred, setBlurred] = useState(false);
  const parseCents = (input: string) => (optional && input.trim() === "" ? null : parseMoney(input));
  // An amount set by the form (discarded edits, a suggestion) replaces the typed text.
  const isCleared = onClear !== undefined && text?.trim() === "";
  const typedText = text !== null && (isCleared || Object.is(parseCents(text), value)) ? text : null;
  const problem =
    typedText === null
      ? excessMessage(value, maxCents)
      : moneyProblem(typedText, value, { wasBlurred, maxCents });
  return (
    <FieldFrame {...frame} error={problem ?? error} optional={optional}>
      {(aria) => (
        <span className="relative block">
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-ink-muted"
          >
            $
          </span>
          <input
            {...aria}
            name={frame.name}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            disabled={disabled}
            value={typedText ?? dollars(value)}
            className={`${controlClass} pl-7! tabular-nums`}
            onBlur={() => {
              setBlurred(true);
              if (isCleared || !Number.isNaN(value)) setText(null);
            }}
            onChange={(event) => {
              setText(event.target.value);
              setBlurred(false);
              if (onClear && event.target.value.trim() === "") onClear();
              else if (optional) onChange(parseCents(event.target.value));
              else onChange(parseMoney(event.target.value));
            }}
          />
        </span>
      )}
    </FieldFrame>
  );
}

/** Error message for the typed amount; null if it is valid or still incomplete (empty, or only a point). */
function moneyProblem(
  typedText: string,
  cents: number | null,
  { wasBlurred, maxCents }: { wasBlurred: boolean; maxCents: number | undefined },
): string | null {
  if (!Number.isNaN(cents)) return excessMessage(cents, maxCents);
  const text = typedText.trim();
  if (text === "" || text === ".") return wasBlurred ? "Enter an amount" : null;
  if (/^[-\u2212]/.test(text)) return "Enter it without a minus sign";
  return /^\d*\.\d{3,}$/.test(text)
    ? "Use at most two decimals, as in 35.90"
    : "Use plain digits with a point, as in 35.90";
}

function excessMessage(cents: number | null, maxCents: number | undefined): string | null {
  return cents !== null && maxCents !== undefined && cents > maxCents
    ? `At most ${formatCents(maxCents)}`
    : null;
}

function dollars(cents: number | null): string {
  return cents === null || Number.isNaN(cents) ? "" : (cents / 100).toFixed(2);
}
