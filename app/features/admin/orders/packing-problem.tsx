import { useState } from "react";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

/** Common reasons why an order cannot be packed. */
const reasons = [
  "The address is wrong",
  "An item is missing",
  "An item is damaged",
  "Something else",
] as const;
type Reason = (typeof reasons)[number];

/** Reports an order that cannot be packed: puts it on hold with the reason and lists it under Problems and in the to-do list. */
export function ProblemDialog({
  order: { id, number },
  onClose,
  onDone,
  submitLabel = "Put on hold",
}: {
  order: { id: string; number: number };
  onClose: () => void;
  /** Called once the order is on hold, in place of a toast. */
  onDone?: () => void;
  submitLabel?: string;
}) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/problem",
    { note: "" },
    onDone
      ? {}
      : { success: { title: `Order #${number} is on hold`, description: "The owner is notified." } },
  );
  const [chosenReason, setChosenReason] = useState<Reason | null>(null);
  const { note } = form.values;
  const needsNote = chosenReason === "Something else";
  const parts = [needsNote ? "" : (chosenReason ?? ""), note.trim()].filter(Boolean);
  return (
    <FormDialog
      title={`What is wrong with order #${number}?`}
      description="The order goes on hold, and the owner is notified. The customer is not."
      form={form}
      submitLabel={submitLabel}
      failure="The order was not put on hold."
      isReady={chosenReason !== null && parts.length > 0}
      send={async () => {
        const response = await form.run({ params: { id }, body: { reason: parts.join(": ") } });
        if (response.ok) onDone?.();
        return response;
      }}
      onClose={onClose}
    >
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">Reason</legend>
        {reasons.map((reason) => (
          <label
            key={reason}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-sm border border-line-strong bg-surface px-3.5 text-ui has-checked:border-forest-800 has-checked:bg-cream has-checked:font-medium"
          >
            <input
              type="radio"
              name="problem-reason"
              checked={chosenReason === reason}
              onChange={() => setChosenReason(reason)}
              className="size-5 accent-forest-800"
            />
            {reason}
          </label>
        ))}
      </fieldset>
      <Field
        {...form.field("note")}
        error={form.fields.reason}
        label="What you saw"
        optional={!needsNote}
        name="problem-note"
        maxLength={160}
      />
    </FormDialog>
  );
}
