import { useState } from "react";
import { controlClass, FieldFrame, type FrameProps } from "../../../ui/field.tsx";

/** A number with its unit. Invalid input is NaN, so that saving reports it. */
export function NumberField({
  value,
  onChange,
  unit,
  decimals = 0,
  ...frame
}: FrameProps & {
  value: number;
  onChange: (value: number) => void;
  unit?: string;
  /** Number of decimals; 0 opens the keyboard without a decimal point. */
  decimals?: number;
}) {
  const [text, setText] = useState(formatNumber(value));
  // A number set by the form (edits discarded, or reset to the default) replaces the typed text.
  const displayText = Object.is(parseNumber(text), value) ? text : formatNumber(value);
  return (
    <FieldFrame {...frame}>
      {(aria) => (
        <span className="flex items-center gap-2.5">
          <input
            type="text"
            {...aria}
            name={frame.name}
            inputMode={decimals > 0 ? "decimal" : "numeric"}
            autoComplete="off"
            value={displayText}
            className={`${controlClass} tabular-nums ${unit ? "max-w-32" : ""}`}
            onChange={(event) => {
              setText(event.target.value);
              onChange(parseNumber(event.target.value));
            }}
          />
          {unit && <span className="text-ui text-ink-muted">{unit}</span>}
        </span>
      )}
    </FieldFrame>
  );
}

function parseNumber(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text.replace(",", "."));
}

function formatNumber(value: number): string {
  return Number.isNaN(value) ? "" : String(value);
}
