import { useState } from "react";
import { type ProductStock, unitsText } from "../../../../domain/inventory/stock.ts";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { NoteField } from "../kit/note-field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Asks for a batch's code, date and units; stays open, with all that was typed, until it is written down. */
export function AddBatch({ stock, onClose }: { stock: ProductStock; onClose: () => void }) {
  const [form, setForm] = useState({ code: "", bestBefore: "", quantity: "", note: "" });
  const [fromUnbatched, setFromUnbatched] = useState(false);
  const action = useAdminAction("POST /api/admin/products/:id/batches", { failure: null });
  const { fields } = action;
  const set = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }));
  const isComplete = form.code.trim() !== "" && form.bestBefore !== "" && form.quantity !== "";

  async function save() {
    const answer = await action.run({
      params: { id: stock.product.id },
      body: { ...form, quantity: Number(form.quantity), fromUnbatched },
      success: { title: "Batch added", description: `${unitsText(Number(form.quantity))} of ${form.code}.` },
    });
    if (answer.ok) onClose();
  }

  return (
    <FormDialog
      id="add-batch"
      title="Add batch"
      description="The code and the date are printed on the bottles."
      action={action}
      submitLabel="Add batch"
      busyText="Adding..."
      failure="The batch was not added."
      isReady={isComplete}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field
        label="Batch code"
        name="code"
        required
        autoComplete="off"
        maxLength={40}
        value={form.code}
        error={fields.code}
        onChange={(event) => set({ code: event.target.value })}
      />
      <Field
        label="Best before"
        name="bestBefore"
        type="date"
        required
        min={stock.today}
        value={form.bestBefore}
        error={fields.bestBefore}
        onChange={(event) => set({ bestBefore: event.target.value })}
      />
      <Field
        label="Units"
        name="quantity"
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        value={form.quantity}
        error={fields.quantity}
        onChange={(event) => set({ quantity: event.target.value.replace(/\D/g, "") })}
      />
      {stock.unbatched > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-small font-medium">Where are they?</legend>
          <Choice
            label="They came in now: add them to the shelf"
            checked={!fromUnbatched}
            onChoose={() => setFromUnbatched(false)}
          />
          <Choice
            label={`They stand on the shelf already, where ${unitsText(stock.unbatched)} are in no batch`}
            checked={fromUnbatched}
            onChoose={() => setFromUnbatched(true)}
          />
        </fieldset>
      )}
      <NoteField name="batchNote" value={form.note} error={fields.note} onChange={(note) => set({ note })} />
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
