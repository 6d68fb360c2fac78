import type { AdminOrder, AdminOrderActions } from "../../../../../domain/orders/admin-order.ts";
import { useMay } from "../../rights.ts";

/** Of what can be done with an order, that which the role may do: only whoever may take it off hold ships it in spite of one. */
export function useOwnActions({ may, shipHold }: Pick<AdminOrder, "may" | "shipHold">): AdminOrderActions {
  const mayShipHeld = useMay("POST /api/admin/orders/:id/hold");
  const own: AdminOrderActions = {
    ship: useMay("POST /api/admin/orders/:id/ship"),
    correctParcel: useMay("PATCH /api/admin/orders/:id/fulfilment"),
    deliver: useMay("POST /api/admin/orders/:id/deliver"),
    refund: useMay("POST /api/admin/orders/:id/refund"),
    restock: useMay("POST /api/admin/orders/:id/restock"),
    cancel: useMay("POST /api/admin/orders/:id/cancel"),
    resendConfirmation: useMay("POST /api/admin/orders/:id/resend-confirmation"),
    editItems: useMay("POST /api/admin/orders/:id/items"),
  };
  return {
    ship: may.ship && own.ship && (shipHold === null || mayShipHeld),
    correctParcel: may.correctParcel && own.correctParcel,
    deliver: may.deliver && own.deliver,
    refund: may.refund && own.refund,
    restock: may.restock && own.restock,
    cancel: may.cancel && own.cancel,
    resendConfirmation: may.resendConfirmation && own.resendConfirmation,
    editItems: may.editItems && own.editItems,
  };
}
