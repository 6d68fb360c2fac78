import History from "lucide-react/icons/history";
import { Link } from "react-router";
import type { ActivityEntry } from "../../../../domain/admin/admin.ts";
import { Badge } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { fieldChanges } from "./changes.ts";

const outcomes = {
  begun: { tone: "red", label: "Did not finish" },
  refused: { tone: "yellow", label: "Refused" },
  failed: { tone: "red", label: "Failed" },
} as const;

/** Who did what, when, newest first. */
export function ActivityTable({ entries }: { entries: ActivityEntry[] }) {
  return (
    <DataTable
      caption="Activity"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      empty={
        <EmptyState glyph={History} boxed title="Nothing was changed yet">
          Every change made here is written down: who, what, before and after.
        </EmptyState>
      }
    />
  );
}

const columns: Column<ActivityEntry>[] = [
  {
    key: "when",
    header: "When",
    phone: "max-md:col-span-2 max-md:row-start-2 max-md:text-small max-md:text-ink-muted",
    nowrap: true,
    cell: ({ at }) => <ShortDay iso={at} withTime />,
  },
  {
    key: "who",
    header: "Who",
    phone: "max-md:col-span-2 max-md:row-start-3 max-md:text-small max-md:text-ink-muted",
    cell: ({ who }) => whoText(who),
  },
  {
    key: "what",
    header: "What",
    phone: "max-md:col-span-2 max-md:row-start-1",
    cell: (entry) => <What entry={entry} />,
  },
];

function What({ entry }: { entry: ActivityEntry }) {
  const changes = fieldChanges(entry.before, entry.after);
  const place = placeOf(entry.subject);
  return (
    <div className="grid max-w-text justify-items-start gap-1">
      <p className="font-medium wrap-anywhere">
        {entry.summary}{" "}
        {entry.outcome !== "done" && (
          <Badge tone={outcomes[entry.outcome].tone}>{outcomes[entry.outcome].label}</Badge>
        )}
      </p>
      {changes.length > 0 && (
        <dl className="grid gap-0.5 text-small text-ink-muted">
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
      )}
      {place && (
        <Link className="link inline-flex min-h-11 items-center text-small md:min-h-6" to={place.to}>
          {place.label}
        </Link>
      )}
    </div>
  );
}

/** A time is said as people say it. */
function Value({ text }: { text: string }) {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? <ShortDay iso={text} withTime /> : text;
}

function whoText(who: ActivityEntry["who"]): string {
  if (who.kind === "machine") return "This machine";
  if (who.kind === "nobody") return "Somebody without a session";
  const browser = who.browser ?? "A browser";
  return who.isCurrent ? `${browser} (this one)` : browser;
}

/** Where the subject of an entry can be looked at. */
function placeOf(subject: string | null): { to: string; label: string } | null {
  const [kind, id] = subject?.split(":") ?? [];
  if (kind === "order" && id) return { to: `/admin/orders/${id}`, label: "Open the order" };
  return null;
}
