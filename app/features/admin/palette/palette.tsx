import Search from "lucide-react/icons/search";
import * as Radix from "radix-ui/dialog";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { sizeBeside } from "../../../../domain/catalog/size-name.ts";
import type { SearchResults } from "../../../../domain/overview/find.ts";
import { restoreFocus } from "../../../ui/browser/focus.ts";
import { Scrim } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { panelStatusLabel } from "../orders/order-labels.ts";
import { useMayCall, useMayOpen } from "../rights.ts";
import { findSettings } from "../settings/settings-pages.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";
import { accountPage, adminTabs } from "../shell/tabs.ts";

const debounceMs = 150;

/** The command palette: finds orders, invoices, customers, products, pages, actions and settings, and opens them. */
export function Palette({
  takeTypedText,
  onClose,
}: {
  /** Returns the text typed so far, with Enter as a line break. After this call, the focused field receives the keys. */
  takeTypedText: () => string;
  onClose: () => void;
}) {
  const [q, setQ] = useState("");
  const [index, setIndex] = useState(0);
  const mayOpen = useMayOpen();
  const { results, state } = useSearchResults(q, useMayCall("GET /api/admin/find"));
  const navigate = useNavigate();
  const opener = useRef<Element | null>(null);
  const isNavigating = useRef(false);
  const opensFirstResult = useRef(false);
  const id = useId();
  const entries = [...(results ? resultEntries(results) : []), ...staticEntries(q, mayOpen)];
  const currentIndex = Math.min(index, entries.length - 1);
  const status = statusText(state, entries.length, q);

  function openEntry(entry: Entry | undefined) {
    if (!entry) return;
    isNavigating.current = true;
    onClose();
    void navigate(entry.to);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the response has arrived
  useEffect(() => {
    if (state === "searching" || !opensFirstResult.current) return;
    opensFirstResult.current = false;
    openEntry(entries[0]);
  }, [state]);
  function handleKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setIndex((currentIndex + step + entries.length) % entries.length);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      // While the search is running, Enter opens its first result once it arrives.
      if (state === "searching") opensFirstResult.current = true;
      else openEntry(entries[currentIndex]);
    }
  }
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Scrim className="z-(--z-dialog)" />
        <Radix.Content
          aria-describedby={undefined}
          data-palette=""
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isNavigating.current) restoreFocus(opener.current);
          }}
          className="fixed inset-x-0 top-0 z-(--z-dialog) mx-auto flex max-h-[min(36rem,100svh)] animate-fade flex-col overflow-clip bg-paper shadow-pop outline-1 outline-transparent md:top-[12vh] md:max-h-[min(36rem,76vh)] md:w-[min(40rem,calc(100vw-4rem))] md:rounded-lg"
        >
          <Radix.Title className="sr-only">Search everything</Radix.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Icon glyph={Search} className="size-5 text-ink-muted" />
            <input
              type="search"
              role="combobox"
              aria-label="Search everything"
              aria-expanded="true"
              aria-controls={id}
              aria-activedescendant={entries.length > 0 ? `${id}-${currentIndex}` : undefined}
              autoComplete="off"
              spellCheck={false}
              enterKeyHint="go"
              placeholder="Order, customer, phone, invoice, page or setting"
              maxLength={100}
              value={q}
              onFocus={() => {
                const typedText = takeTypedText();
                if (typedText === "") return;
                opensFirstResult.current = typedText.includes("\n");
                setQ(typedText.replaceAll("\n", ""));
              }}
              onChange={(event) => {
                setQ(event.target.value);
                setIndex(0);
                opensFirstResult.current = false;
              }}
              onKeyDown={handleKeyDown}
              className="min-h-14 min-w-0 flex-1 bg-transparent text-body outline-none placeholder:text-[#6f7267] [&::-webkit-search-cancel-button]:hidden"
            />
            <Radix.Close className="min-h-11 shrink-0 px-2 text-small text-ink-muted underline underline-offset-4">
              Close
            </Radix.Close>
          </div>
          <List
            id={id}
            entries={entries}
            currentIndex={currentIndex}
            onChoose={openEntry}
            onPoint={setIndex}
          />
          <p
            role="status"
            className={`px-4 py-2.5 text-small text-ink-muted ${status === keysText ? "max-md:hidden" : ""}`}
          >
            {status}
          </p>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function List({
  id,
  entries,
  currentIndex,
  onChoose,
  onPoint,
}: {
  id: string;
  entries: Entry[];
  currentIndex: number;
  onChoose: (entry: Entry) => void;
  onPoint: (index: number) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the current entry changes
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [currentIndex]);
  const groups = [...new Set(entries.map(({ group }) => group))];
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Found"
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-b border-line p-2 empty:hidden"
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options in a list box
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden="true" className="px-3 pt-2.5 pb-1 text-caption font-semibold text-ink-muted">
            {group}
          </p>
          {entries.map(
            (entry, index) =>
              entry.group === group && (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, because it keeps the focus
                <div
                  key={`${entry.to} ${entry.label}`}
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === currentIndex}
                  onClick={() => onChoose(entry)}
                  onPointerMove={() => onPoint(index)}
                  className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 py-1.5 text-ui aria-selected:bg-cream forced-colors:aria-selected:outline-2"
                >
                  <span className="min-w-0 wrap-anywhere">{entry.label}</span>
                  <span className="max-w-[55%] min-w-0 shrink-0 truncate text-small text-ink-muted">
                    {entry.detail}
                  </span>
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  );
}

/** Hint about the keys; hidden on phones, which have none. */
const keysText = "Arrow keys choose, Enter opens.";

type State = "idle" | "searching" | "done" | "failed";

function statusText(state: State, count: number, q: string): string {
  if (state === "searching") return "Searching...";
  if (state === "failed") return "Orders, customers and products could not be searched. Try again.";
  if (q.trim() !== "" && count === 0)
    return "Nothing found. Try a name, a phone number, an order, invoice or tracking number, or a city.";
  return keysText;
}

/** Searches on the server after a pause in typing; the last result stays until the next one arrives. */
function useSearchResults(q: string, maySearch: boolean): { results: SearchResults | null; state: State } {
  const text = q.trim();
  const { body, problem, isCurrent } = useApiResult(
    maySearch && text.length > 1 ? text : null,
    (q, signal) => withUnlock(() => callApi("GET /api/admin/find", { query: { q }, signal })),
    debounceMs,
  );
  if (!maySearch || text.length < 2) return { results: null, state: "idle" };
  const results = problem || !body ? null : body.data;
  if (!isCurrent) return { results, state: "searching" };
  return { results, state: results ? "done" : "failed" };
}

/** An entry of the palette: its label, a detail that distinguishes it from others, and its URL. */
type Entry = { group: string; label: string; detail: string; to: string };

/** Frequent actions with their paths; `words`: further search terms. */
const actions = [
  { label: "Orders to ship", to: "/admin/orders?status=to_ship", words: "pack queue parcels" },
  { label: "Ship next order", to: "/admin/ship-next", words: "scan pack tracking" },
  { label: "Orders that need attention", to: "/admin/orders?status=attention", words: "issues problems" },
  { label: "Open returns", to: "/admin/orders?status=returns", words: "withdrawal send back" },
  { label: "Add a product", to: "/admin/products/new", words: "new create" },
  { label: "Best customers", to: "/admin/customers?sort=value", words: "value vip" },
  {
    label: "Where buyers come from",
    to: "/admin/sources",
    words: "utm referrer campaigns repeat rate value",
  },
  { label: "Record a donation", to: "/admin/donations", words: "giving charity" },
  { label: "Sent emails and texts", to: "/admin/messages/sent", words: "outbox failed mail" },
  { label: "Backups", to: "/admin/backups", words: "restore save disk off-site copies bucket" },
  { label: "Background jobs", to: "/admin/jobs", words: "failed tasks queue" },
  { label: "Open sessions", to: "/admin/sessions", words: "log out browsers devices" },
  {
    label: "My devices and passkeys",
    to: "/admin/account",
    words: "account sessions log out notifications phone",
  },
  {
    label: "Replace or exchange an order",
    to: "/admin/orders?status=shipped",
    words: "replacement lost parcel damaged wrong",
  },
  {
    label: "Disputed orders",
    to: "/admin/orders?status=disputed",
    words: "dispute chargeback bank evidence",
  },
  { label: "Delete a customer’s data", to: "/admin/customers", words: "erase gdpr privacy personal copy" },
  { label: "Count stock", to: "/admin/products", words: "stocktake inventory shelf" },
  {
    label: "Change a price, or stop selling a product",
    to: "/admin/products",
    words: "prices raise archive hide discontinue",
  },
  {
    label: "Files for the accountant",
    to: "/admin/books",
    words: "tax year quarter month invoices zip export",
  },
  {
    label: "Invite or remove people",
    to: "/admin/people",
    words: "staff packer accountant role leaves access",
  },
];

/** Pages, actions and settings that match every typed word; without input, the pages and the most frequent actions. */
function staticEntries(q: string, mayOpen: (page: string) => boolean): Entry[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const mayGo = (to: string) => mayOpen(to.split("?")[0] ?? to);
  const pages = [...adminTabs, { label: "", pages: [accountPage] }].flatMap((tab) =>
    tab.pages
      .filter(({ to, label }) => mayGo(to) && matches(`${label} ${tab.label}`))
      .map(({ to, label }) => ({
        group: "Pages",
        label,
        detail: tab.pages.length > 1 ? tab.label : "",
        to,
      })),
  );
  const matchingActions = actions
    .filter(({ to, label, words }) => mayGo(to) && matches(`${label} ${words}`))
    .map(({ to, label }) => ({ group: "Actions", label, detail: "", to }));
  const settings = mayGo("/admin/settings")
    ? findSettings(q).map(({ to, label, page }) => ({ group: "Settings", label, detail: page, to }))
    : [];
  return words.length === 0
    ? [...matchingActions.slice(0, 4), ...pages]
    : [...pages, ...matchingActions, ...settings];
}

/** Converts the server's search results to entries. */
function resultEntries({ orders, customers, products, invoices }: SearchResults): Entry[] {
  return [
    ...invoices.map(({ label, orderId, orderNumber }) => ({
      group: "Invoices",
      label,
      detail: `Order #${orderNumber}`,
      to: `/admin/orders/${orderId}?status=all`,
    })),
    ...orders.map(({ id, number, customer, status }) => ({
      group: "Orders",
      label: `#${number} ${customer ?? "Anonymous"}`,
      detail: panelStatusLabel(status),
      to: `/admin/orders/${id}?status=all`,
    })),
    ...customers.map(({ id, name, email, orders }) => ({
      group: "Customers",
      label: name || email,
      detail: `${name ? `${email}, ` : ""}${orders === 1 ? "1 order" : `${orders} orders`}`,
      to: `/admin/customers/${id}`,
    })),
    ...products.map(({ id, name, size }) => ({
      group: "Products",
      label: name,
      detail: sizeBeside({ name, size }),
      to: `/admin/products/${id}`,
    })),
  ];
}
