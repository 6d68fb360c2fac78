import { useState } from "react";
import type { AdminDiscount } from "../../../../domain/discounts/discount-form.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/**
 * Only for codes without orders; used codes stay for the orders' records and can be switched off. Deleting leaves the
 * open discount, so its page is not reloaded.
 */
export function DeleteDiscount({
  discount: { id, code, used },
  onDeleted,
}: {
  discount: AdminDiscount;
  onDeleted: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const remove = useAdminAction("DELETE /api/admin/discounts/:id", {
    success: { title: `${code} deleted` },
    failure: null,
    reloads: false,
  });
  if (used > 0) return null;

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
        form={remove}
        send={async () => {
          if ((await remove.run({ params: { id } })).ok) onDeleted();
        }}
      />
    </>
  );
}
