import { useState } from "react";
import type { AdminDiscount } from "../../../../domain/discounts/discount-form.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type ApiProblem, callApi } from "../../api.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { withUnlock } from "../shell/unlock-again.tsx";

/**
 * For codes that no order has; the others stay for their orders' papers and can be switched off. What is open is left once
 * it is gone: there is nothing to reload of it.
 */
export function DeleteDiscount({
  discount: { id, code, used },
  onDeleted,
}: {
  discount: AdminDiscount;
  onDeleted: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  if (used > 0) return null;

  async function remove() {
    setBusy(true);
    setProblem(null);
    const answer = await withUnlock(() => callApi("DELETE /api/admin/discounts/:id", { params: { id } }));
    if (answer.ok) {
      toast({ title: `${code} deleted` });
      onDeleted();
    } else setProblem(answer.problem);
    setBusy(false);
  }
  return (
    <>
      <Button variant="danger-quiet" size="small" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete ${code}?`}
        description="No order was placed with it. It cannot be brought back, but the same code can be made again."
        confirmLabel="Delete discount"
        busyText="Deleting..."
        busy={isBusy}
        problem={problem}
        onConfirm={() => void remove()}
      />
    </>
  );
}
