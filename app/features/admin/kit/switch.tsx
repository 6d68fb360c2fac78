import type { ReactNode } from "react";

/** A labeled switch; the whole row can be pressed. The page says whether it takes effect immediately or when saved. */
export function Switch({
  id,
  name,
  label,
  hint,
  checked,
  disabled,
  onChange,
  className = "",
}: {
  /** For links from a summary of problems. */
  id?: string;
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
}) {
  return (
    <label
      className={`grid min-h-11 cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 has-disabled:cursor-not-allowed ${className}`}
    >
      <span className="relative inline-flex">
        <input
          id={id}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: browsers expose a native checkbox's state by themselves
          role="switch"
          name={name}
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? `${name}-note` : undefined}
          onChange={(event) => onChange(event.target.checked)}
          className="peer h-6 w-11 appearance-none rounded-full border border-line-strong bg-sand transition-colors duration-(--dur-2) checked:border-forest-800 checked:bg-forest-800 disabled:border-line-disabled disabled:bg-disabled"
        />
        <span className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-white outline-1 outline-line-strong transition-transform duration-(--dur-2) peer-checked:translate-x-5" />
      </span>
      <span className="text-ui font-medium wrap-anywhere">{label}</span>
      {hint && (
        <span id={`${name}-note`} className="col-start-2 text-caption text-ink-muted">
          {hint}
        </span>
      )}
    </label>
  );
}
