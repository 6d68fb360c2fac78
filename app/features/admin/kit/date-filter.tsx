import { useNavigate, useSearchParams } from "react-router";
import { controlClass } from "../../../ui/field.tsx";
import { withParam } from "./address.ts";

/** First and last day of a list, by `from` and `to` in its address (`YYYY-MM-DD`, in the shop's zone); empty: no end. */
export function DateFilter() {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">Days</legend>
      <Day param="from" label="From" />
      <Day param="to" label="To" />
    </fieldset>
  );
}

function Day({ param, label }: { param: string; label: string }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const value = search.get(param) ?? "";
  return (
    <label className="inline-flex items-center gap-2 text-small font-medium">
      {label}
      <input
        // Uncontrolled, so that a half-typed date does not filter the list yet.
        key={value}
        type="date"
        defaultValue={value}
        className={`${controlClass} min-h-11! w-40! py-1.5! text-small!`}
        onBlur={({ target }) => target.value !== value && go(target.value)}
        onChange={({ target, nativeEvent }) => {
          // A date from the picker is whole at once; the keyboard's comes digit by digit.
          if (!("inputType" in nativeEvent) && target.value !== value) go(target.value);
        }}
        onKeyDown={(event) => event.key === "Enter" && go(event.currentTarget.value)}
      />
    </label>
  );

  function go(day: string) {
    void navigate(withParam(new URLSearchParams(window.location.search), param, day), {
      preventScrollReset: true,
      state: { keepsFocus: true },
    });
  }
}
