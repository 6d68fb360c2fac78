import { useState } from "react";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { type RestockDraft, RestockFields, restockOf } from "./restock-fields.tsx";

/** Units of a parcel that came back, where the money was given back before or is not. */
export function RestockOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const [draft, setDraft] = useState<RestockDraft>({});
  const { busy, problem, fields, run } = useAdminAction({
    success: { title: "The units are back on the shelf" },
    failure: null,
  });
  const restock = restockOf(draft);

  async function bookRestock() {
    const answer = await run("POST", `/api/admin/orders/${order.id}/restock`, { body: { restock } });
    if (answer.ok) onClose();
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Put units back on the shelf"
      description="Choose what came back and can be sold again. No money is given back with this."
      confirmLabel="Put back"
      busyText="Saving..."
      busy={busy}
      problem={problem}
      danger={false}
      disabled={restock === null}
      onConfirm={() => void bookRestock()}
    >
      <div className="mt-4">
        <RestockFields
          items={order.items}
          draft={draft}
          onChange={setDraft}
          disabled={busy}
          error={fields.restock}
        />
      </div>
    </ConfirmDialog>
  );
}
