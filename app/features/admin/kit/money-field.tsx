import { type ReactNode, useState } from "react";
import { controlClass, FieldFrame } from "../../../ui/field.tsx";

/**
 * An amount, typed in dollars and handed over in cents. What is no number is ignored: the last amount stays, and is shown
 * again once the field is left, or in the place of sending a form that would save it unseen. With `optional`, an empty field
 * is null.
 */
export function MoneyField({
  name,
  label,
  value,
  onChange,
  optional = false,
  maxCents,
  hint,
  error,
  disabled,
  className = "",
}: {
  name: string;
  label: ReactNode;
  value: number | null;
  onChange: (cents: number | null) => void;
  optional?: boolean;
  maxCents?: number;
  hint?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  className?: string;
}) {
  /** What is being typed; null: nobody is typing, and the amount itself is shown. */
  const [text, setText] = useState<string | null>(null);
  return (
    <FieldFrame name={name} label={label} hint={hint} error={error} optional={optional} className={className}>
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
            name={name}
            type="number"
            inputMode="decimal"
            min={0}
            max={maxCents === undefined ? undefined : maxCents / 100}
            step={0.01}
            disabled={disabled}
            value={text ?? dollars(value)}
            className={`${controlClass} pl-7! tabular-nums`}
            // A wheel over a field that has the focus would change the amount unseen.
            onWheel={(event) => event.currentTarget.blur()}
            onBlur={() => setText(null)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || text === null || optional || toCents(text) !== null) return;
              event.preventDefault();
              setText(null);
            }}
            onChange={(event) => {
              const next = event.target.value;
              setText(next);
              const cents = toCents(next);
              if (cents !== null || optional) onChange(cents);
            }}
          />
        </span>
      )}
    </FieldFrame>
  );
}

/** `"29.95"` -> `2995`; null for what is no amount in plain digits, and for parts of a cent: nothing is rounded. */
function toCents(text: string): number | null {
  return /^(\d+\.?|\d*\.\d{1,2})$/.test(text.trim()) ? Math.round(Number(text) * 100) : null;
}

function dollars(cents: number | null): string {
  return cents === null ? "" : (cents / 100).toFixed(2);
}
