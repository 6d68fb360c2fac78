import { type ReactNode, useEffect, useRef } from "react";

/** A box that chooses one row of a list, or all; a target of 44 px. */
export function ChoiceBox({
  label,
  words,
  checked,
  isRowChoice = false,
  isPartly = false,
  onChange,
  className = "",
}: {
  /** For screen readers: "Choose order #1001". */
  label: string;
  /** Stand beside it where there is room, or need, for them. */
  words?: ReactNode;
  checked: boolean;
  /** Of a row in a DataTable, which makes room for it on phones. */
  isRowChoice?: boolean;
  /** Some of what it stands for is chosen. */
  isPartly?: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly && !checked;
  }, [isPartly, checked]);
  return (
    <label className={`inline-flex min-h-11 min-w-11 cursor-pointer items-center gap-2.5 p-3 ${className}`}>
      <input
        ref={box}
        type="checkbox"
        data-row-choice={isRowChoice || undefined}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-forest-800"
      />
      <span className="sr-only">{label}</span>
      {words && <span aria-hidden="true">{words}</span>}
    </label>
  );
}
