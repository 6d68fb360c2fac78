import { type Order, payableCents } from "../../../domain/orders/order.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { callApi } from "../api.ts";
import type { ActionDialogProps } from "./action-dialog.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { AddressDialog, type DeliveryPolicies } from "./address-dialog.tsx";
import { givenBackCents } from "./given-back.ts";
import { ReturnDialog } from "./return-dialog.tsx";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

export type OrderDialogsProps = {
  propsOf(action: "cancel" | "address" | "return" | "withdraw"): ActionDialogProps;
  returns: ShopSettings["returns"];
  policies: DeliveryPolicies;
};

/** What is asked before something is done with an order. All of them stay, so that what was written in one does. */
export function OrderDialogs({ propsOf, returns, policies }: OrderDialogsProps) {
  return (
    <>
      <CancelDialog {...propsOf("cancel")} />
      <AddressDialog {...propsOf("address")} policies={policies} />
      <ReturnDialog {...propsOf("return")} returns={returns} />
      <WithdrawDialog {...propsOf("withdraw")} />
    </>
  );
}

/** Says what cancelling does before it is done. */
function CancelDialog({ order, onSend, ...dialog }: ActionDialogProps) {
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
  if (order.status === "pending") return "We stop the payment, and nothing is charged. This can’t be undone.";
  const leftCents = payableCents(order.totals) - givenBackCents(order);
  const money =
    leftCents > 0
      ? `${formatCents(leftCents)} goes back to the card or account you paid with. How soon you see it depends on your bank.`
      : "What you paid is already on its way back to you.";
  return `It will not be shipped. ${money} This can’t be undone.`;
}
