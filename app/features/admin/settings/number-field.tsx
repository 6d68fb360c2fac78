import { type ReactNode, useState } from "react";
import { controlClass, FieldFrame } from "../../../ui/field.tsx";

/** A number with its unit behind it; what is none is NaN, so that saving can say so. */
export function NumberField({
  name,
  label,
  value,
  onChange,
  unit,
  hint,
  error,
  decimals = 0,
  className = "",
}: {
  name: string;
  label: ReactNode;
  value: number;
  onChange: (value: number) => void;
  unit?: string;
  hint?: ReactNode;
  error?: ReactNode;
  /** How many the keyboard should offer. */
  decimals?: number;
  className?: string;
}) {
  const [text, setText] = useState(textOf(value));
  // Another number from outside (a discard, the default) takes the place of what was typed.
  const displayText = Object.is(numberOf(text), value) ? text : textOf(value);
  return (
    <FieldFrame name={name} label={label} hint={hint} error={error} className={className}>
      {(aria) => (
        <span className="flex items-center gap-2.5">
          <input
            type="text"
            {...aria}
            name={name}
            inputMode={decimals > 0 ? "decimal" : "numeric"}
            autoComplete="off"
            value={displayText}
            className={`${controlClass} max-w-32 tabular-nums`}
            onChange={(event) => {
              setText(event.target.value);
              onChange(numberOf(event.target.value));
            }}
          />
          {unit && <span className="text-ui text-ink-muted">{unit}</span>}
        </span>
      )}
    </FieldFrame>
  );
}

function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text.replace(",", "."));
}

function textOf(value: number): string {
  return Number.isNaN(value) ? "" : String(value);
}
