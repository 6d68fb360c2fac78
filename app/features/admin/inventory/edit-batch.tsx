import type { Batch } from "../../../../domain/inventory/stock.ts";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { NoteField } from "../kit/note-field.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";

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
  const form = useAdminForm(
    "PATCH /api/admin/products/:id/batches/:batchId",
    { bestBefore: batch.bestBefore, note: batch.note ?? "" },
    { success: { title: "Batch saved" } },
  );
  const { bestBefore, note } = form.values;
  const isChanged = bestBefore !== batch.bestBefore || note.trim() !== (batch.note ?? "");

  async function save() {
    const params = { id: productId, batchId: batch.id };
    return form.run({ params, body: { bestBefore, note } });
  }

  return (
    <FormDialog
      id="edit-batch"
      title={`Batch ${batch.code}`}
      description="Units are changed under “Change stock”."
      form={form}
      submitLabel="Save batch"
      busyText="Saving..."
      failure="The batch is as it was."
      isReady={isChanged && bestBefore !== ""}
      send={save}
      onClose={onClose}
    >
      <Field
        {...form.field("bestBefore")}
        label="Best before"
        type="date"
        required
        hint="Units past this date leave the sale by themselves."
      />
      <NoteField {...form.field("note")} name="batchNote" />
    </FormDialog>
  );
}
