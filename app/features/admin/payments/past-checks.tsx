import Scale from "lucide-react/icons/scale";
import { Link } from "react-router";
import type { MoneyCheck, MoneyCheckPage } from "../../../../domain/money-check/money-check.ts";
import { Badge } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { DataTable } from "../kit/data-table.tsx";
import { Pager } from "../kit/pager.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { periodText } from "./period-text.ts";

/** Every run so far, newest first; each opens above. */
export function PastChecks({ page, currentId }: { page: MoneyCheckPage; currentId: number | null }) {
  return (
    <section className="mt-10" aria-labelledby="past">
      <h2 id="past" className="mb-4 text-h3">
        All checks
      </h2>
      <DataTable<MoneyCheck>
        caption="Checks so far, newest first"
        rows={page.data}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === currentId}
        empty={
          <EmptyState glyph={Scale} heading="h3" title="Nothing was checked yet" boxed>
            The first one runs in the night after your first payment. You can also run one now.
          </EmptyState>
        }
        columns={[
          {
            key: "period",
            header: "Period",
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: (check) => (
              <Link
                className="link inline-flex min-h-6 items-center max-md:min-h-11"
                to={`?check=${check.id}`}
                aria-current={check.id === currentId ? "true" : undefined}
              >
                {periodText(check)}
              </Link>
            ),
          },
          {
            key: "when",
            header: "Run",
            phone: "max-md:col-span-2 max-md:row-start-2 text-small text-ink-muted",
            cell: (check) => (
              <>
                <ShortDay iso={check.startedAt} withTime />
                {check.requestedBy === "night" && ", nightly"}
              </>
            ),
          },
          {
            key: "looked",
            header: "Payments",
            align: "right",
            phone: "max-md:hidden",
            cell: ({ looked }) => looked.toLocaleString("en-US"),
          },
          {
            key: "result",
            header: "Result",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center",
            cell: (check) => <Result check={check} />,
          },
        ]}
      />
      {page.data.length > 0 && <Pager nextCursor={page.nextCursor} />}
    </section>
  );
}

function Result({ check: { status, openFindings, findings } }: { check: MoneyCheck }) {
  if (status === "running") return <Badge tone="blue">Running</Badge>;
  if (status === "failed") return <Badge tone="red">Not finished</Badge>;
  if (openFindings > 0) return <Badge tone="yellow">{openFindings} open</Badge>;
  return <Badge tone="green">{findings > 0 ? "Settled" : "Agrees"}</Badge>;
}
