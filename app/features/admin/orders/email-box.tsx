import { useMailWords } from "../kit/use-mail-words.ts";

/** Whether to e-mail the customer that the parcel was shipped. */
export function EmailBox({
  checked,
  onChange,
  disabled = false,
  label = "Email the customer",
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  label?: string;
}) {
  const mailWords = useMailWords();
  return (
    <label className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3">
      <input
        type="checkbox"
        name="email-customer"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 accent-forest-800"
      />
      <span className="text-ui font-medium">{label}</span>
      <span className="col-start-2 text-caption text-ink-muted">
        {checked
          ? mailWords("That it has shipped, with the tracking link.")
          : "Nobody is told that it has shipped."}
      </span>
    </label>
  );
}
