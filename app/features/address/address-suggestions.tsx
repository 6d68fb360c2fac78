import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { AddressParts } from "../../../domain/address/address-format.ts";
import { callApi } from "../api.ts";
import { mirrorAgain } from "../cart/cart-mirror.ts";

type Suggestion = { id: string; text: string };
type Picked = { [Part in keyof AddressParts | "country"]?: string };

const pauseMs = 250;
const shortest = 3;
const none: { suggestions: Suggestion[]; attribution: string | null } = {
  suggestions: [],
  attribution: null,
};

/**
 * Makes a text field that is there already a combobox that suggests addresses, and floats them below it. The field stays
 * the form's: whatever fails here, it is typed into as before. `countries` are those that may be chosen. `order`: whose
 * address it is, with the token of its e-mailed link; without one it is the cart's.
 */
export function AddressSuggestions({
  inputId,
  country,
  countries,
  order,
  onPick,
}: {
  inputId: string;
  country: string;
  countries: readonly (readonly [code: string, name: string])[];
  order?: { order: string; token: string | null };
  onPick: (parts: Picked) => void;
}): ReactNode {
  const listId = useId();
  const [{ suggestions, attribution }, setFound] = useState(none);
  const [active, setActive] = useState(-1);
  const [announced, setAnnounced] = useState("");
  const asking = useRef(new AbortController());
  /** The shop suggests no more for now: asking with every letter would not change that. */
  const isOver = useRef(false);
  const session = useRef(newSession());
  const isOpen = suggestions.length > 0;

  /** Whatever is under way is no longer wanted. */
  const begin = (): AbortSignal => {
    asking.current.abort();
    asking.current = new AbortController();
    return asking.current.signal;
  };
  const close = () => {
    begin();
    setFound(none);
    setActive(-1);
    setAnnounced("");
  };
  const suggest = async (typed: string) => {
    const signal = begin();
    const q = typed.trim();
    if (isOver.current || q.length < shortest || q.length > 200) return close();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted) return;
    const query = { q, country, session: session.current, ...order };
    const answer = await callApi("GET /api/address/suggestions", { query, signal });
    if (signal.aborted) return;
    if (!answer.ok) {
      // Suggestions are for those who have a cart at the shop, too. This cart may be in the browser alone.
      if (answer.problem.status === 403 && !order) mirrorAgain();
      isOver.current = answer.problem.status === 429 || answer.problem.error === "not_configured";
      return close();
    }
    const { data } = answer.body;
    const count = data.suggestions.length;
    setFound(data);
    setActive(-1);
    setAnnounced(
      count === 0 ? "No addresses found." : `${count} ${count === 1 ? "address" : "addresses"} found.`,
    );
  };
  const pick = async ({ id }: Suggestion) => {
    close();
    const signal = begin();
    const query = { session: session.current, ...order };
    session.current = newSession();
    const answer = await callApi("GET /api/address/suggestions/:id", { params: { id }, query, signal });
    if (signal.aborted || !answer.ok) return;
    const { country: foundIn, state, line2, ...parts } = answer.body.data;
    const isServed = countries.some(([code]) => code === foundIn);
    setAnnounced("Address filled in.");
    latest.current.onPick({
      ...parts,
      ...(line2 && { line2 }),
      // States are those of their country.
      ...(isServed && { country: foundIn, state }),
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.isComposing) return;
    const count = suggestions.length;
    const chosen = suggestions[active];
    if (event.key === "ArrowDown") setActive(active + 1 < count ? active + 1 : 0);
    else if (event.key === "ArrowUp") setActive(active > 0 ? active - 1 : count - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen) void pick(chosen);
    else return;
    event.preventDefault();
  };
  const onInput = (event: Event) => {
    // A browser that fills in the whole address needs no suggestions.
    const isTyped = event instanceof InputEvent && event.inputType !== "insertReplacementText";
    if (isTyped && event.target instanceof HTMLInputElement) void suggest(event.target.value);
    else close();
  };

  // Listeners stay the same; what they call is that of the latest render.
  const latest = useRef({ onKeyDown, onInput, close, onPick });
  useEffect(() => {
    latest.current = { onKeyDown, onInput, close, onPick };
  });
  useEffect(() => {
    const input = document.getElementById(inputId);
    if (!input) return;
    const over = new AbortController();
    const { signal } = over;
    input.addEventListener("keydown", (event) => latest.current.onKeyDown(event), { signal });
    input.addEventListener("input", (event) => latest.current.onInput(event), { signal });
    input.addEventListener("blur", () => latest.current.close(), { signal });
    return () => {
      over.abort();
      asking.current.abort();
      for (const name of comboboxAttributes) input.removeAttribute(name);
    };
  }, [inputId]);

  const activeId = active >= 0 && isOpen ? `${listId}-${active}` : null;
  useEffect(() => {
    const input = document.getElementById(inputId);
    if (!input) return;
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", String(isOpen));
    setOrRemove(input, "aria-controls", isOpen ? listId : null);
    setOrRemove(input, "aria-activedescendant", activeId);
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [inputId, isOpen, listId, activeId]);

  return (
    <>
      <span role="status" className="sr-only">
        {announced}
      </span>
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-(--z-sticky) mt-1 overflow-hidden rounded-sm border border-line-strong bg-surface shadow-pop">
          <div id={listId} role="listbox" aria-label="Suggested addresses">
            {suggestions.map((suggestion, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field
              // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field
              <div
                key={suggestion.id}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                // Keeps the focus, and with it the list, where they are.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(index)}
                onClick={() => void pick(suggestion)}
                className="flex min-h-11 cursor-pointer items-center px-[.9rem] py-2 text-ui break-words not-first:border-t not-first:border-line aria-selected:bg-cream-soft aria-selected:inset-ring-2 aria-selected:inset-ring-forest-800"
              >
                {suggestion.text}
              </div>
            ))}
          </div>
          {attribution && (
            <p className="border-t border-line px-[.9rem] py-1.5 text-right text-caption text-ink-muted">
              {attribution}
            </p>
          )}
        </div>
      )}
    </>
  );
}

const comboboxAttributes = [
  "role",
  "aria-autocomplete",
  "aria-expanded",
  "aria-controls",
  "aria-activedescendant",
];

function setOrRemove(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Also where `crypto.randomUUID` is missing, as on a shop tried out without https. */
function newSession(): string {
  return [...crypto.getRandomValues(new Uint32Array(3))].join("-");
}
