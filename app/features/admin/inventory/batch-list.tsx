import PackageSearch from "lucide-react/icons/package-search";
import { useState } from "react";
import {
  type Batch,
  batchAge,
  batchOrdersCounted,
  type ProductStock,
} from "../../../../domain/inventory/stock.ts";
import { formatDay } from "../../../../domain/orders/order-text.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { PageLink } from "../../../ui/page-link.tsx";
import { DataTable } from "../kit/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { AddBatch } from "./add-batch.tsx";
import { EditBatch } from "./edit-batch.tsx";

/** A product's batches, the next to be sold on top. */
export function BatchList({ stock }: { stock: ProductStock }) {
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<Batch | null>(null);
  const { batches, product, today } = stock;
  const add = (
    <Button variant="secondary" size="small" onClick={() => setIsAdding(true)}>
      Add batch
    </Button>
  );
  return (
    <section className="mt-10" aria-labelledby="batches">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="batches" className="text-h3">
          Batches
        </h2>
        {batches.length > 0 && add}
      </div>
      <DataTable<Batch>
        caption="Batches, the next to be sold first"
        rows={batches}
        rowKey={({ id }) => id}
        empty={
          <EmptyState glyph={PackageSearch} heading="h3" title="No batches yet" action={add} boxed>
            Enter the code and the best-before date printed on your bottles. The oldest are then counted as
            sold first, you see in time what runs out of date, and should a batch ever have to come back, you
            have the list of everybody who got it.
          </EmptyState>
        }
        columns={[
          {
            key: "code",
            header: "Batch",
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: (batch) => (
              <>
                <span className="font-medium wrap-anywhere">{batch.code}</span>
                {batch.note && (
                  <span className="block text-small wrap-anywhere text-ink-muted">{batch.note}</span>
                )}
              </>
            ),
          },
          {
            key: "bestBefore",
            header: "Best before",
            phone: "max-md:col-start-1 max-md:row-start-2",
            cell: (batch) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="md:hidden">Best before</span>
                {formatDay(batch.bestBefore, "UTC")} <Age batch={batch} today={today} />
              </span>
            ),
          },
          {
            key: "remaining",
            header: "Left",
            align: "right",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right",
            cell: ({ remaining, received }) => `${remaining} of ${received}`,
          },
          {
            key: "received",
            header: "Came in",
            nowrap: true,
            phone: "max-md:hidden",
            cell: (batch) => <ShortDay iso={batch.receivedAt} />,
          },
          {
            key: "actions",
            header: <span className="sr-only">Actions</span>,
            align: "right",
            phone: "max-md:col-span-2",
            cell: (batch) => (
              <span className="flex flex-wrap items-center gap-x-4 md:justify-end">
                <PageLink
                  className="link inline-flex min-h-11 items-center"
                  to={`/admin/products/${product.id}/stock/batches/${batch.id}`}
                >
                  {ordersText(batch.orders)}
                  <span className="sr-only"> with units of batch {batch.code}</span>
                </PageLink>
                <button
                  type="button"
                  className="link inline-flex min-h-11 min-w-11 items-center md:justify-end"
                  onClick={() => setEdited(batch)}
                >
                  Edit<span className="sr-only"> batch {batch.code}</span>
                </button>
              </span>
            ),
          },
        ]}
      />
      {isAdding && <AddBatch stock={stock} onClose={() => setIsAdding(false)} />}
      {edited && <EditBatch batch={edited} productId={product.id} onClose={() => setEdited(null)} />}
    </section>
  );
}

function Age({ batch, today }: { batch: Batch; today: string }) {
  if (batch.remaining === 0) return <Badge tone="blue">All gone</Badge>;
  const age = batchAge(batch.bestBefore, today);
  if (age === "over") return <Badge tone="red">Past its date</Badge>;
  return age === "soon" && <Badge tone="yellow">Soon over</Badge>;
}

function ordersText(orders: number): string {
  if (orders > batchOrdersCounted) return `Over ${batchOrdersCounted.toLocaleString("en-US")} orders`;
  return orders === 1 ? "1 order" : `${orders} orders`;
}
