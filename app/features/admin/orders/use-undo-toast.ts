import { useRevalidator } from "react-router";
import { type ToastMessage, toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { withUnlock } from "../shell/unlock-again.tsx";

/** As long as the e-mail waits (server/order-desk/fulfilment/shipping.ts), less the way there. */
const undoMs = 9_000;

type Booked = { orderId: string; shipmentId: string };

/** A toast of parcels that were just booked, from which they can be taken back. */
export function useUndoToast() {
  const { revalidate } = useRevalidator();

  async function undo(parcels: readonly Booked[], onUndone: () => void) {
    let problem: string | null = null;
    for (const { orderId: id, shipmentId } of parcels) {
      const params = { id, shipmentId };
      const answer = await withUnlock(() =>
        callApi("POST /api/admin/orders/:id/shipments/:shipmentId/undo", { params }),
      );
      if (!answer.ok) problem = answer.problem.message;
    }
    if (problem !== null) toast({ title: "Not undone", description: problem, tone: "danger" });
    else toast({ title: "Undone", description: "Nothing was sent to the customer." });
    onUndone();
    await revalidate();
  }

  return (message: ToastMessage, parcels: readonly Booked[], onUndone: () => void = () => {}) =>
    toast({
      ...message,
      durationMs: undoMs,
      action: { label: "Undo", run: () => void undo(parcels, onUndone) },
    });
}
