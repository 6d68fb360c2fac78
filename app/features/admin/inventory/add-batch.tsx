import { type ProductStock, unitsText } from "../../../../domain/inventory/stock.ts";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { NoteField } from "../kit/note-field.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";

/** Asks for a batch's code, date and units; stays open, with all that was typed, until it is written down. */
export function AddBatch({ stock, onClose }: { stock: ProductStock; onClose: () => void }) {
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
      id="add-batch"
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
        {...form.field("quantity", (typed) => typed.replace(/\D/g, ""))}
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
            label="They came in now: add them to the shelf"
            checked={!fromUnbatched}
            onChoose={() => form.set({ fromUnbatched: false })}
          />
          <Choice
            label={`They stand on the shelf already, where ${unitsText(stock.unbatched)} are in no batch`}
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
