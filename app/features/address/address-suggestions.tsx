import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { AddressParts } from "../../../domain/address/address-format.ts";
import { randomUuid } from "../../ui/browser/random-uuid.ts";
import { callApi } from "../api.ts";
import { resendCart } from "../cart/cart-mirror.ts";

type Suggestion = { id: string; text: string };
type PickedAddress = { [Part in keyof AddressParts | "country"]?: string };

const debounceMs = 250;
const minQueryLength = 3;
const noSuggestions: { suggestions: Suggestion[]; attribution: string | null } = {
  suggestions: [],
  attribution: null,
};

export type SuggestionsProps = {
  inputId: string;
  country: string;
  countries: readonly (readonly [code: string, name: string])[];
  order?: { order: string; token: string | null };
  onPick: (parts: PickedAddress) => void;
};

/**
 * Turns the existing text field `inputId` into a combobox with address suggestions below it. If anything fails, the field
 * remains a plain text field. `countries` are those that the form offers. `order` names the order whose address is edited,
 * with the token of its e-mailed link; without it, the address is for the cart.
 */
export function AddressSuggestions({
  inputId,
  country,
  countries,
  order,
  onPick,
}: SuggestionsProps): ReactNode {
  const listId = useId();
  const [{ suggestions, attribution }, setResponse] = useState(noSuggestions);
  const [active, setActive] = useState(-1);
  const [announcement, setAnnouncement] = useState("");
  const request = useRef(new AbortController());
  /** Stops requests after the shop has refused them, because of a rate limit or because no provider is set up. */
  const isStopped = useRef(false);
  /** Groups the lookups of one address, which the provider bills together. */
  const session = useRef(randomUuid());
  const isOpen = suggestions.length > 0;

  /** Cancels the running request. */
  const restart = (): AbortSignal => {
    request.current.abort();
    request.current = new AbortController();
    return request.current.signal;
  };
  const close = () => {
    restart();
    setResponse(noSuggestions);
    setActive(-1);
    setAnnouncement("");
  };
  const suggest = async (text: string) => {
    const signal = restart();
    const q = text.trim();
    if (isStopped.current || q.length < minQueryLength || q.length > 200) return close();
    await new Promise((resolve) => setTimeout(resolve, debounceMs));
    if (signal.aborted) return;
    const query = { q, country, session: session.current, ...order };
    const response = await callApi("GET /api/address/suggestions", { query, signal });
    if (signal.aborted) return;
    if (!response.ok) {
      // The shop suggests addresses only to visitors with a cart on the server; this cart may exist only in the browser.
      if (response.problem.status === 403 && !order) resendCart();
      isStopped.current = response.problem.status === 429 || response.problem.error === "not_configured";
      return close();
    }
    const { data } = response.body;
    const count = data.suggestions.length;
    setResponse(data);
    setActive(-1);
    setAnnouncement(
      count === 0 ? "No addresses found." : `${count} ${count === 1 ? "address" : "addresses"} found.`,
    );
  };
  const pick = async ({ id }: Suggestion) => {
    close();
    const signal = restart();
    const query = { session: session.current, ...order };
    session.current = randomUuid();
    const response = await callApi("GET /api/address/suggestions/:id", { params: { id }, query, signal });
    if (signal.aborted || !response.ok) return;
    const { country: code, state, line2, ...parts } = response.body.data;
    const isServed = countries.some(([servedCode]) => servedCode === code);
    setAnnouncement("Address filled in.");
    handlers.current.onPick({
      ...parts,
      ...(line2 && { line2 }),
      // A state without its country would be wrong.
      ...(isServed && { country: code, state }),
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.isComposing) return;
    const count = suggestions.length;
    const activeSuggestion = suggestions[active];
    if (event.key === "ArrowDown") setActive(active + 1 < count ? active + 1 : 0);
    else if (event.key === "ArrowUp") setActive(active > 0 ? active - 1 : count - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && activeSuggestion) void pick(activeSuggestion);
    else return;
    event.preventDefault();
  };
  const onInput = (event: Event) => {
    // No suggestions when the browser fills in the whole address.
    const isTyped = event instanceof InputEvent && event.inputType !== "insertReplacementText";
    if (isTyped && event.target instanceof HTMLInputElement) void suggest(event.target.value);
    else close();
  };

  // The listeners are added once, and call the handlers of the latest render.
  const handlers = useRef({ onKeyDown, onInput, close, onPick });
  useEffect(() => {
    handlers.current = { onKeyDown, onInput, close, onPick };
  });
  useEffect(() => {
    const input = document.getElementById(inputId);
    if (!input) return;
    const cleanup = new AbortController();
    const { signal } = cleanup;
    input.addEventListener("keydown", (event) => handlers.current.onKeyDown(event), { signal });
    input.addEventListener("input", (event) => handlers.current.onInput(event), { signal });
    input.addEventListener("blur", () => handlers.current.close(), { signal });
    return () => {
      cleanup.abort();
      request.current.abort();
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
        {announcement}
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
                // Keeps the focus in the field, which keeps the list open.
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
