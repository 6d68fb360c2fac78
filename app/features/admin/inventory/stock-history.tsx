import {
  type ProductStock,
  type StockMovement,
  stockReasonLabels,
} from "../../../../domain/inventory/stock.ts";
import { PageLink } from "../../../ui/page-link.tsx";
import { DataTable } from "../kit/list/data-table.tsx";
import { Pager } from "../kit/list/pager.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/** Stock movements, newest first. */
export function StockHistory({ stock }: { stock: ProductStock }) {
  return (
    <section className="mt-10" aria-labelledby="history">
      <h2 id="history" className="mb-4 text-h3">
        History
      </h2>
      <DataTable<StockMovement>
        caption="Stock movements, newest first"
        rows={stock.movements}
        empty={
          <p className="text-ink-muted">
            Nothing yet. Every sale, return and change is kept here with its reason.
          </p>
        }
        columns={[
          {
            header: "What happened",
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: (movement) => (
              <>
                <MovementText movement={movement} />
                {movement.batchCode && <span className="text-ink-muted"> · batch {movement.batchCode}</span>}
                {movement.note && (
                  <span className="block text-small wrap-anywhere text-ink-muted">{movement.note}</span>
                )}
              </>
            ),
          },
          {
            header: "Units",
            align: "right",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right font-medium",
            cell: ({ change }) => (change > 0 ? `+${change}` : `−${-change}`),
          },
          {
            header: "When",
            nowrap: true,
            phone: "max-md:col-span-2 text-small text-ink-muted",
            cell: ({ at }) => <ShortDay iso={at} withTime />,
          },
        ]}
      />
      {stock.movements.length > 0 && <Pager nextCursor={stock.nextCursor} />}
    </section>
  );
}

function MovementText({ movement: { kind, reason, order } }: { movement: StockMovement }) {
  if (kind === "adjusted") return reason === null ? "Changed" : stockReasonLabels[reason];
  const label = kind === "sold" ? "Sold" : "Came back";
  if (!order) return label;
  return (
    <>
      {label},{" "}
      <PageLink className="link" to={`/admin/orders/${order.id}`}>
        order #{order.number}
      </PageLink>
    </>
  );
}
