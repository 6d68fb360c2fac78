import PackageSearch from "lucide-react/icons/package-search";
import { useState } from "react";
import {
  type Batch,
  bestBeforeStatus,
  maxBatchOrders,
  type ProductStock,
  unitsText,
} from "../../../../domain/inventory/stock.ts";
import { formatDay } from "../../../../domain/orders/order-text.ts";
import { Badge } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Field } from "../../../ui/field.tsx";
import { PageLink } from "../../../ui/page-link.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { actionsColumn, DataTable } from "../kit/list/data-table.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { NoteField } from "./note-field.tsx";

/** A product's batches, the next to be sold on top. */
export function BatchList({ stock }: { stock: ProductStock }) {
  const [batchToEdit, setBatchToEdit] = useState<Batch | null>(null);
  const { batches, product, today } = stock;
  const add = (
    <DialogButton dialog={(onClose) => <AddBatch stock={stock} onClose={onClose} />}>Add batch</DialogButton>
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
        empty={
          <EmptyState glyph={PackageSearch} heading="h3" title="No batches yet" action={add} boxed>
            Enter the code and the best-before date printed on your bottles. The oldest units then count as
            sold first, you see in time which units expire, and if a batch ever has to be recalled, you have a
            list of everybody who received it.
          </EmptyState>
        }
        columns={[
          {
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
            header: "Best before",
            phone: "max-md:col-start-1 max-md:row-start-2",
            cell: (batch) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="md:hidden">Best before</span>
                {formatDay(batch.bestBefore, "UTC")} <BestBeforeBadge batch={batch} today={today} />
              </span>
            ),
          },
          {
            header: "Left",
            align: "right",
            nowrap: true,
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right",
            cell: ({ remaining, received }) => `${remaining} of ${received}`,
          },
          {
            header: "Came in",
            nowrap: true,
            phone: "max-md:hidden",
            cell: (batch) => <ShortDay iso={batch.receivedAt} />,
          },
          {
            ...actionsColumn,
            phone: "max-md:col-span-2",
            cell: (batch) => (
              <span className="flex flex-wrap items-center justify-between gap-x-4 md:justify-end">
                {batch.orders === 0 ? (
                  <span className="text-ink-muted">No orders</span>
                ) : (
                  <PageLink
                    className="link inline-flex min-h-11 items-center"
                    to={`/admin/products/${product.id}/stock/batches/${batch.id}`}
                  >
                    {ordersText(batch.orders)}
                    <span className="sr-only"> with units of batch {batch.code}</span>
                  </PageLink>
                )}
                <button
                  type="button"
                  className="link inline-flex min-h-11 min-w-11 items-center justify-end"
                  onClick={() => setBatchToEdit(batch)}
                >
                  Edit<span className="sr-only"> batch {batch.code}</span>
                </button>
              </span>
            ),
          },
        ]}
      />
      {batchToEdit && (
        <EditBatch batch={batchToEdit} productId={product.id} onClose={() => setBatchToEdit(null)} />
      )}
    </section>
  );
}

function BestBeforeBadge({ batch, today }: { batch: Batch; today: string }) {
  if (batch.remaining === 0) return <Badge tone="blue">None left</Badge>;
  const status = bestBeforeStatus(batch.bestBefore, today);
  if (status === "over") return <Badge tone="red">Past its date</Badge>;
  return status === "soon" && <Badge tone="yellow">Expires soon</Badge>;
}

function ordersText(orders: number): string {
  if (orders > maxBatchOrders) return `Over ${maxBatchOrders.toLocaleString("en-US")} orders`;
  return orders === 1 ? "1 order" : `${orders} orders`;
}

/** Asks for a batch's code, date and units; stays open with the input until the batch is saved. */
function AddBatch({ stock, onClose }: { stock: ProductStock; onClose: () => void }) {
  const form = useAdminForm("POST /api/admin/products/:id/batches", {
    code: "",
    bestBefore: "",
    quantity: "",
    note: "",
    fromUnbatched: false,
  });
  const { code, bestBefore, quantity, fromUnbatched } = form.values;

  return (
    <FormDialog
      title="Add batch"
      description="The code and the date are printed on the bottles."
      form={form}
      submitLabel="Add batch"
      busyText="Adding..."
      failure="The batch was not added."
      isReady={code.trim() !== "" && bestBefore !== "" && quantity !== ""}
      send={() =>
        form.run({
          params: { id: stock.product.id },
          body: { ...form.values, quantity: Number(quantity) },
          success: { title: "Batch added", description: `${unitsText(Number(quantity))} of ${code}.` },
        })
      }
      onClose={onClose}
    >
      <Field {...form.field("code")} label="Batch code" required autoComplete="off" maxLength={40} />
      <Field {...form.field("bestBefore")} label="Best before" type="date" required min={stock.today} />
      <Field
        {...form.field("quantity", (text) => text.replace(/\D/g, ""))}
        label="Units"
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
      />
      {stock.unbatched > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-small font-medium">Where are they?</legend>
          <Choice
            label="They just arrived: add them to the stock"
            checked={!fromUnbatched}
            onChoose={() => form.set({ fromUnbatched: false })}
          />
          <Choice
            label={`They are already in stock, where ${unitsText(stock.unbatched)} belong to no batch`}
            checked={fromUnbatched}
            onChoose={() => form.set({ fromUnbatched: true })}
          />
        </fieldset>
      )}
      <NoteField {...form.field("note")} name="batchNote" />
    </FormDialog>
  );
}

function Choice({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 text-ui">
      <input
        type="radio"
        name="fromUnbatched"
        className="size-5 shrink-0 accent-forest-800"
        checked={checked}
        onChange={onChoose}
      />
      {label}
    </label>
  );
}

/** Corrects a batch's date and note; its units change only with the stock. */
function EditBatch({ batch, productId, onClose }: { batch: Batch; productId: number; onClose: () => void }) {
  const form = useAdminForm(
    "PATCH /api/admin/products/:id/batches/:batchId",
    { bestBefore: batch.bestBefore, note: batch.note ?? "" },
    { success: { title: "Batch saved" } },
  );
  const { bestBefore, note } = form.values;
  const isChanged = bestBefore !== batch.bestBefore || note.trim() !== (batch.note ?? "");

  return (
    <FormDialog
      title={`Batch ${batch.code}`}
      description="Units are changed under “Change stock”."
      form={form}
      submitLabel="Save batch"
      failure="The batch was not changed."
      isReady={isChanged && bestBefore !== ""}
      send={() => form.run({ params: { id: productId, batchId: batch.id }, body: { bestBefore, note } })}
      onClose={onClose}
    >
      <Field
        {...form.field("bestBefore")}
        label="Best before"
        type="date"
        required
        hint="Units past this date are taken off sale automatically."
      />
      <NoteField {...form.field("note")} name="batchNote" />
    </FormDialog>
  );
}
