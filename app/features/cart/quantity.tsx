import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";

/**
 * Number of units, 1 to `max`. Input that is not a number becomes 1; the field may be empty while the user types, which
 * counts as 1. Keyboard users type the number or press the arrow keys; Tab skips the two buttons. `label` names the group:
 * "Quantity", "Quantity of Pure Batana Oil".
 */
export function Quantity({
  value,
  onChange,
  max = 99,
  size = "normal",
  label = "Quantity",
  name,
  disabled = false,
}: {
  value: number;
  onChange: (quantity: number) => void;
  max?: number;
  size?: "normal" | "small";
  label?: string;
  name?: string;
  disabled?: boolean;
}) {
  const [isEmpty, setEmpty] = useState(false);
  const onType = (text: string) => {
    setEmpty(text.trim() === "");
    onChange(clampQuantity(text, max));
  };
  const frame = size === "small" ? "h-11.5 grid-cols-[44px_44px_44px]" : "h-13 grid-cols-[48px_52px_48px]";
  const stepButtonClass =
    "grid place-items-center rounded-[3px] hover:bg-cream-soft disabled:cursor-not-allowed disabled:bg-transparent disabled:text-[#a79f8b]";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inline as a grid in every browser
    <div
      role="group"
      aria-label={label}
      className={`inline-grid rounded-sm border border-line-strong bg-surface ${frame}`}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label="Decrease quantity"
        className={stepButtonClass}
        disabled={disabled || value <= 1}
        onClick={() => onChange(Math.max(1, value - 1))}
      >
        <Icon glyph={Minus} size="small" />
      </button>
      <input
        type="text"
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        aria-label={label}
        className="w-full rounded-none border-x border-line bg-transparent text-center font-medium tabular-nums"
        disabled={disabled}
        value={isEmpty ? "" : value}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => {
          const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          onChange(Math.min(max, Math.max(1, value + step)));
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => setEmpty(false)}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label="Increase quantity"
        className={stepButtonClass}
        disabled={disabled || value >= max}
        onClick={() => onChange(Math.min(max, value + 1))}
      >
        <Icon glyph={Plus} size="small" />
      </button>
    </div>
  );
}

function clampQuantity(text: string, max: number): number {
  const quantity = Number.parseInt(text, 10);
  return Number.isNaN(quantity) ? 1 : Math.min(max, Math.max(1, quantity));
}
