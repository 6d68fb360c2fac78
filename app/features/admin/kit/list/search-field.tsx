import Search from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { IconButton } from "../../../../ui/button.tsx";
import { controlClass } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { handleSubmit } from "../form-dialog.tsx";
import { withParam } from "./search-params.ts";

const debounceMs = 300;

/** Search-as-you-type, kept in the URL (`?q=`). `/` focuses the field. */
export function SearchField({
  label,
  placeholder,
}: {
  /** For screen readers, such as "Search orders". */
  label: string;
  placeholder: string;
}) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const currentQuery = search.get("q") ?? "";
  const [text, setText] = useState(currentQuery);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<number | undefined>(undefined);
  // Follows changes of the URL by links and the back button, except those caused by typing here.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(currentQuery);
  }, [currentQuery]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function searchFor(next: string) {
    window.clearTimeout(timer.current);
    const query = next.trim();
    // The URL is read again, because a filter may have changed during the delay.
    const params = new URLSearchParams(window.location.search);
    if (query === (params.get("q") ?? "")) return;
    void navigate(withParam(params, "q", query), { replace: true, preventScrollReset: true });
  }
  return (
    <search className="relative min-w-[min(12rem,100%)] md:min-w-64 flex-1">
      <form onSubmit={handleSubmit(() => searchFor(text))}>
        <Icon
          glyph={Search}
          size="small"
          className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-ink-muted"
        />
        <input
          ref={field}
          type="search"
          name="q"
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          value={text}
          maxLength={100}
          className={`${controlClass} min-h-11! text-ellipsis py-2! pr-11! pl-9.5! [&::-webkit-search-cancel-button]:hidden`}
          onChange={(event) => {
            const next = event.target.value;
            setText(next);
            window.clearTimeout(timer.current);
            timer.current = window.setTimeout(() => searchFor(next), debounceMs);
          }}
          // Searches immediately: a delayed search would replace the page that is opened by leaving the field.
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.form?.contains(relatedTarget)) searchFor(text);
          }}
        />
        {text !== "" && (
          <IconButton
            label="Clear search"
            className="absolute! top-0 right-0"
            onClick={() => {
              setText("");
              searchFor("");
              field.current?.focus();
            }}
          >
            <Icon glyph={X} size="small" />
          </IconButton>
        )}
      </form>
    </search>
  );
}
