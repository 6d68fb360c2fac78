import type { Order } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";
import { givenBackCents } from "./given-back.ts";

/** Says what cancelling does before it is done. */
export function CancelDialog({ order, onSend, ...dialog }: ActionDialogProps) {
  return (
    <ActionDialog
      {...dialog}
      onSubmit={() =>
        onSend((token) =>
          callApi("POST /api/orders/:id/cancel", { params: { id: order.id }, body: { token } }),
        )
      }
      title={`Cancel order #${order.number}?`}
      description={whatHappens(order)}
      keep="Keep order"
      confirm="Cancel order"
      busyText="Cancelling..."
      danger
    />
  );
}

function whatHappens(order: Order): string {
  if (order.status === "pending")
    return "Its payment is stopped, and nothing is charged. This can’t be undone.";
  const leftCents = order.totals.total - givenBackCents(order);
  const money =
    leftCents > 0
      ? `${formatCents(leftCents)} goes back the way you paid; how soon you see it depends on your bank.`
      : "What you paid is on its way back to you already.";
  return `It will not be shipped. ${money} This can’t be undone.`;
}
