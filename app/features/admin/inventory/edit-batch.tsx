import { useState } from "react";
import type { Batch } from "../../../../domain/inventory/stock.ts";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { NoteField } from "../kit/note-field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Corrects a batch's date and note; its units change with the stock. */
export function EditBatch({
  batch,
  productId,
  onClose,
}: {
  batch: Batch;
  productId: number;
  onClose: () => void;
}) {
  const [bestBefore, setBestBefore] = useState(batch.bestBefore);
  const [note, setNote] = useState(batch.note ?? "");
  const action = useAdminAction("PATCH /api/admin/products/:id/batches/:batchId", {
    failure: null,
    success: { title: "Batch saved" },
  });
  const { fields } = action;
  const isChanged = bestBefore !== batch.bestBefore || note.trim() !== (batch.note ?? "");

  async function save() {
    const params = { id: productId, batchId: batch.id };
    const answer = await action.run({ params, body: { bestBefore, note } });
    if (answer.ok) onClose();
  }

  return (
    <FormDialog
      id="edit-batch"
      title={`Batch ${batch.code}`}
      description="Units are changed under “Change stock”."
      action={action}
      submitLabel="Save batch"
      busyText="Saving..."
      failure="The batch is as it was."
      isReady={isChanged && bestBefore !== ""}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field
        label="Best before"
        name="bestBefore"
        type="date"
        required
        hint="Units past this date leave the sale by themselves."
        value={bestBefore}
        error={fields.bestBefore}
        onChange={(event) => setBestBefore(event.target.value)}
      />
      <NoteField name="batchNote" value={note} error={fields.note} onChange={setNote} />
    </FormDialog>
  );
}
