import ChevronDown from "lucide-react/icons/chevron-down";
import History from "lucide-react/icons/history";
import { Link } from "react-router";
import type { ActivityEntry } from "../../../../domain/admin/admin.ts";
import { dateIn } from "../../../../domain/shared/zoned-days.ts";
import { Badge } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useShopZone } from "../kit/shop-zone.ts";
import { ShortDay } from "../kit/short-day.tsx";
import { type FieldChange, fieldChanges } from "./changes.ts";

const outcomes = {
  begun: { tone: "red", label: "Did not finish" },
  refused: { tone: "yellow", label: "Refused" },
  failed: { tone: "red", label: "Failed" },
} as const;

/** The activity log, newest first and grouped by day; the changed fields of an entry are collapsed. */
export function ActivityList({ entries, isFiltered }: { entries: ActivityEntry[]; isFiltered: boolean }) {
  const timeZone = useShopZone();
  if (entries.length === 0) {
    return (
      <EmptyState glyph={History} boxed title={isFiltered ? "Nothing found" : "Nothing was changed yet"}>
        {isFiltered
          ? "Nothing was done that fits these filters."
          : "Every change made here is written down: who, what, before and after."}
      </EmptyState>
    );
  }
  const days = Map.groupBy(entries, ({ at }) => dateIn(timeZone, new Date(at)));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={day} className="mb-5">
      <h2 className="mb-2 font-sans text-small font-semibold tracking-normal text-ink-muted">
        <ShortDay iso={ofDay[0]?.at ?? day} />
      </h2>
      <ol className="rounded-md border border-line bg-surface">
        {ofDay.map((entry) => (
          <li key={entry.id} className="border-t border-line px-4 py-2.5 first:border-t-0">
            <Entry entry={entry} timeZone={timeZone} />
          </li>
        ))}
      </ol>
    </section>
  ));
}

function Entry({ entry, timeZone }: { entry: ActivityEntry; timeZone: string }) {
  const { at, who, summary, subject, outcome, before, after } = entry;
  const changes = fieldChanges(before, after);
  const place = placeOf(subject);
  const browser = who.kind === "session" ? who.browser : null;
  return (
    <>
      <p className="text-ui wrap-anywhere">
        <b className="font-semibold">{nameOf(who)}</b> <span>{summary}</span>{" "}
        {outcome !== "done" && <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 text-small text-ink-muted">
        <time dateTime={at}>{timeIn(at, timeZone)}</time>
        {browser && <span>{browser}</span>}
        {place && (
          <Link className="link inline-flex min-h-11 items-center md:min-h-6" to={place.to}>
            {place.label}
          </Link>
        )}
        {changes.length > 0 && (
          <details className="group open:basis-full">
            <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1 underline decoration-line-strong underline-offset-4 md:min-h-6 [&::-webkit-details-marker]:hidden">
              {changes.length === 1 ? "What changed" : `${changes.length} changes`}
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
              <s>{from}</s>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows ISO timestamps as a readable date and time, other values unchanged. */
function Value({ text }: { text: string }) {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? <ShortDay iso={text} withTime /> : text;
}

function nameOf(who: ActivityEntry["who"]): string {
  if (who.kind === "machine") return "This machine:";
  if (who.kind === "nobody") return "Somebody without a session:";
  const name = who.person?.name ?? "Access code";
  if (who.kind === "link") return `${name}, by a buyer’s link:`;
  return who.isCurrent ? `${name} (you):` : `${name}:`;
}

/** "9:14 AM" */
function timeIn(at: string, timeZone: string): string {
  return new Date(at).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone });
}

/** Where the subject of an entry can be looked at. */
function placeOf(subject: string | null): { to: string; label: string } | null {
  const [kind, id] = subject?.split(":") ?? [];
  if (!id) return null;
  if (kind === "order") return { to: `/admin/orders/${id}`, label: "Open the order" };
  if (kind === "product") return { to: `/admin/products/${id}`, label: "Open the product" };
  if (kind === "message") return { to: `/admin/messages/${id}`, label: "Open the message" };
  return null;
}
