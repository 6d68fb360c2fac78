import X from "lucide-react/icons/x";
import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { countries, countryCode, countryName } from "../../../../../domain/shared/country.ts";
import { Button } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";

/** Countries by name, as chips; more are added by typing. `taken`: those that are elsewhere already. */
export function CountryPicker({
  name,
  value,
  taken,
  error,
  onChange,
}: {
  name: string;
  value: readonly string[];
  taken: ReadonlySet<string>;
  error: string | undefined;
  onChange: (codes: string[]) => void;
}) {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const listId = useId();

  function add(typed: string) {
    const code = countryCode(typed);
    if (typed.trim() === "") return;
    if (code === null) return setRefusal(`There is no country called “${typed.trim()}”.`);
    if (taken.has(code)) return setRefusal(`${countryName(code)} is in another zone already.`);
    if (!value.includes(code)) onChange([...value, code]);
    setText("");
    setRefusal(null);
  }

  /** The next country has the focus then, or the field that adds one. */
  function remove(code: string, list: Element | null) {
    const at = Math.min(value.indexOf(code), value.length - 2);
    flushSync(() => onChange(value.filter((one) => one !== code)));
    const next = list?.querySelectorAll("button")[at] ?? document.getElementById(name);
    next?.focus();
  }
  return (
    <div className="grid gap-2.5">
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Countries of this zone">
          {value.map((code) => (
            <li key={code}>
              <button
                type="button"
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full bg-cream px-3.5 text-small font-medium hover:bg-sand"
                aria-label={`Remove ${countryName(code) ?? code}`}
                onClick={({ currentTarget }) => remove(code, currentTarget.closest("ul"))}
              >
                {countryName(code) ?? code} <Icon glyph={X} size="small" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="grid grid-cols-[1fr_auto] items-start gap-2.5 sm:max-w-100">
        <Field
          name={name}
          label="Add a country"
          list={listId}
          autoComplete="off"
          value={text}
          error={refusal ?? error}
          onChange={(event) => {
            setText(event.target.value);
            setRefusal(null);
            // Chosen from the list, not typed letter by letter.
            if (!(event.nativeEvent instanceof InputEvent)) add(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add(text);
          }}
        />
        <datalist id={listId}>
          {countries
            .filter(([code]) => !taken.has(code) && !value.includes(code))
            .map(([code, country]) => (
              <option key={code} value={country} />
            ))}
        </datalist>
        <Button
          variant="secondary"
          size="small"
          className="mt-[1.55rem] min-h-12.5!"
          onClick={() => add(text)}
        >
          Add
        </Button>
      </div>
    </div>
  );
}
