import { type FormEvent, useState } from "react";
import type { Batch } from "../../../../domain/stock.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
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
  const { run, busy, problem, fields } = useAdminAction({ failure: null, success: { title: "Batch saved" } });
  const isChanged = bestBefore !== batch.bestBefore || note.trim() !== (batch.note ?? "");

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!isChanged || bestBefore === "" || busy) return;
    const path = `/api/admin/products/${productId}/batches/${batch.id}`;
    const answer = await run("PATCH", path, { body: { bestBefore, note } });
    if (answer.ok) onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !busy && onClose()}
      title={`Batch ${batch.code}`}
      description="Units are changed under “Change stock”."
      actions={
        <>
          <Button variant="secondary" size="small" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="edit-batch"
            size="small"
            busy={busy}
            busyText="Saving..."
            disabled={!isChanged || bestBefore === ""}
          >
            Save batch
          </Button>
        </>
      }
    >
      <form id="edit-batch" className="mt-4 grid gap-4" onSubmit={save} noValidate>
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
        <Field
          label="Note"
          name="batchNote"
          optional
          autoComplete="off"
          maxLength={200}
          value={note}
          error={fields.note}
          onChange={(event) => setNote(event.target.value)}
        />
        {problem && Object.keys(fields).length === 0 && (
          <Banner title="The batch is as it was.">{problem.message}</Banner>
        )}
      </form>
    </Dialog>
  );
}
