import ChevronDown from "lucide-react/icons/chevron-down";
import History from "lucide-react/icons/history";
import { Link, useSearchParams } from "react-router";
import type { ActivityEntry } from "../../domain/admin/admin.ts";
import { capitalize } from "../../domain/shared/capitalize.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { dateIn, isDate } from "../../domain/shared/zoned-days.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { FilterBar, type FilterGroup } from "../features/admin/kit/list/filter-bar.tsx";
import { DateFilter } from "../features/admin/kit/list/filter-select.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ShortDay, TimeOfDay, useShopZone } from "../features/admin/kit/short-day.tsx";
import { panelStatusLabel } from "../features/admin/orders/order-labels.ts";
import { formatDate } from "../features/admin/overview/period-text.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-activity";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Activity");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const param = (name: string) => params.get(name) || null;
  const day = (name: string) => (isDate(params.get(name) ?? "") ? param(name) : null);
  const query = {
    subject: param("subject"),
    person: param("person"),
    from: day("from"),
    to: day("to"),
    cursor: param("cursor"),
  };
  const [{ data, nextCursor }, people] = await Promise.all([
    read("GET /api/admin/activity", { query }),
    read("GET /api/admin/people"),
  ]);
  return { data, nextCursor, people: people.data.people };
});

const kinds = [
  { value: null, label: "All" },
  { value: "order", label: "Orders" },
  { value: "product", label: "Products" },
  { value: "review", label: "Reviews" },
  { value: "message", label: "Messages" },
  { value: "discount", label: "Discounts" },
  { value: "settings", label: "Settings" },
  { value: "session", label: "Sessions" },
];

/** The record of every change made in the panel. */
export default function AdminActivity({ loaderData: { data, nextCursor, people } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const subject = search.get("subject");
  const isSingleSubject = subject?.includes(":") ?? false;
  const personFilter: FilterGroup = {
    title: "Person",
    label: "Filter by person",
    param: "person",
    options: [
      { value: null, label: "Everybody" },
      ...people.map(({ id, name }) => ({ value: id, label: name })),
    ],
  };
  return (
    <AdminPage title="Activity">
      <div className="mb-4">
        <FilterBar
          groups={[
            {
              title: "Subject",
              label: "Filter activity",
              param: "subject",
              options: isSingleSubject
                ? [
                    { value: null, label: "All" },
                    { value: subject, label: "Only this one" },
                  ]
                : kinds,
            },
            ...(people.length > 0 ? [personFilter] : []),
          ]}
          more={<DateFilter />}
          moreParams={["from", "to"]}
        />
      </div>
      <ActivityList
        entries={data}
        isFiltered={["subject", "person", "from", "to", "cursor"].some((name) => search.has(name))}
      />
      <Pager nextCursor={nextCursor} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Activity", "Failed to load the activity log");

const outcomes = {
  begun: { tone: "red", label: "Did not finish" },
  refused: { tone: "yellow", label: "Refused" },
  failed: { tone: "red", label: "Failed" },
} as const;

/** The activity log, newest first and grouped by day; the changed fields of an entry are collapsed. */
function ActivityList({ entries, isFiltered }: { entries: ActivityEntry[]; isFiltered: boolean }) {
  const timeZone = useShopZone();
  if (entries.length === 0) {
    return (
      <EmptyState glyph={History} boxed title={isFiltered ? "Nothing found" : "Nothing has been changed yet"}>
        {isFiltered
          ? "No change matches these filters."
          : "Every change made in this panel is listed here: who made it, what it was, and the values before and after."}
      </EmptyState>
    );
  }
  const days = Map.groupBy(entries, ({ at }) => dateIn(timeZone, new Date(at)));
  return [...days].map(([day, dayEntries]) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mb-5">
      <h2
        id={`day-${day}`}
        className="mb-2 font-sans text-small font-semibold tracking-normal text-ink-muted"
      >
        <ShortDay iso={dayEntries[0]?.at ?? day} />
      </h2>
      <ol className="rounded-md border border-line bg-surface">
        {dayEntries.map((entry) => (
          <li key={entry.id} className="border-t border-line px-4 py-2.5 first:border-t-0">
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  ));
}

function Entry({ entry }: { entry: ActivityEntry }) {
  const { at, who, summary, subject, outcome, before, after } = entry;
  const isSession = subject?.startsWith("session:") ?? false;
  // A session's only field is its browser, which is shown anyway.
  const changes = isSession ? [] : fieldChanges(before, after);
  const subjectLink = findSubjectLink(subject);
  const browser = who.kind === "session" ? who.browser : null;
  return (
    <>
      <p className="text-ui wrap-anywhere">
        <b className="font-semibold">{summary}</b>{" "}
        {outcome !== "done" && <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 text-small text-ink-muted">
        <TimeOfDay iso={at} />
        <span>{actorName(who)}</span>
        {browser && <span className={isSession ? "" : "max-md:hidden"}>{browser}</span>}
        {subjectLink && (
          <Link
            className="link inline-flex min-h-11 items-center max-md:-my-2.5 md:min-h-6"
            to={subjectLink.to}
          >
            {subjectLink.label}
          </Link>
        )}
        {changes.length > 0 && (
          <details className="group max-md:-my-2.5 open:my-0 open:basis-full">
            <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1 underline decoration-line-strong underline-offset-4 md:min-h-6 [&::-webkit-details-marker]:hidden">
              {changes.length} {changes.length === 1 ? "change" : "changes"}
              <span className="sr-only">: {summary}</span>
              <Icon glyph={ChevronDown} size="small" className="group-open:rotate-180" />
            </summary>
            <Changes changes={changes} />
          </details>
        )}
      </div>
    </>
  );
}

function Changes({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="grid gap-0.5 pb-2">
      {changes.map(({ label, from, to }) => (
        <div key={label} className="flex flex-wrap gap-x-1.5 wrap-anywhere">
          <dt>{label}:</dt>
          <dd>
            {from !== null && to !== null ? (
              <>
                <Value text={from} /> <span aria-hidden="true">→</span>
                <span className="sr-only">became</span> <Value text={to} />
              </>
            ) : to !== null ? (
              <Value text={to} />
            ) : (
              <s>
                <Value text={from ?? ""} />
              </s>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Formats dates and ISO timestamps; leaves other values unchanged. */
function Value({ text }: { text: string }) {
  if (isDate(text)) return formatDate(text, true);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? <ShortDay iso={text} withTime /> : text;
}

function actorName(who: ActivityEntry["who"]): string {
  if (who.kind === "machine") return "This machine";
  if (who.kind === "nobody") return "Somebody without a session";
  if (who.kind === "key") return `${who.person.name} (API key)`;
  const name = who.person?.name ?? "Access code";
  if (who.kind === "link") return `${name}, through a buyer’s link`;
  return who.isCurrent ? `${name} (you)` : name;
}

/** The panel's page about an entry's subject. */
function findSubjectLink(subject: string | null): { to: string; label: string } | null {
  const [kind, id] = subject?.split(":") ?? [];
  if (!id) return null;
  if (kind === "order") return { to: `/admin/orders/${id}`, label: "Open the order" };
  if (kind === "product") return { to: `/admin/products/${id}`, label: "Open the product" };
  if (kind === "message") return { to: `/admin/messages/${id}`, label: "Open the message" };
  return null;
}

/** A changed field with both values as text; `from` or `to` is null if the field had no value then. */
type FieldChange = { label: string; from: string | null; to: string | null };

/** The fields that differ between an entry's `before` and `after`. */
function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const from = flatten(before, "");
  const to = flatten(after, "");
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((path) => ({ label: fieldLabel(path), from: from.get(path) ?? null, to: to.get(path) ?? null }))
    .filter((change) => change.from !== change.to);
}

function flatten(value: unknown, path: string): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== "object") return new Map([[path, formatValue(path, value)]]);
  const entries = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item] as const)
    : Object.entries(value);
  return new Map(entries.flatMap(([key, item]) => [...flatten(item, path === "" ? key : `${path}.${key}`)]));
}

/** The text of a value; the names of fields tell which numbers are amounts in cents. */
function formatValue(path: string, value: unknown): string {
  if (typeof value === "number" && /(cents|price|amount|subtotal|freeFrom|refunded)$/i.test(path)) {
    return formatCents(value);
  }
  if (/status$/i.test(path)) return panelStatusLabel(String(value));
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** `shipping.zones.1.freeFrom` -> "Shipping, zones 1, free from" */
function fieldLabel(path: string): string {
  const words = path
    .replace(/Cents$/, "")
    // `returned` is a map by product id.
    .replace(/^returned\.(\d+)$/, "Returned to stock, product $1")
    .replace(/\.(\d+)/g, " $1")
    .replaceAll(".", ", ")
    .replace(/([a-z])([A-Z])/g, (_, lower: string, upper: string) => `${lower} ${upper.toLowerCase()}`);
  return capitalize(words);
}
