import type { AdminOrderActions } from "../../../../../domain/orders/admin-order.ts";
import { useMay } from "../../rights.ts";

/** Of what can be done with an order, that which the role may do. */
export function useOwnActions(may: AdminOrderActions): AdminOrderActions {
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
    ship: may.ship && own.ship,
    correctParcel: may.correctParcel && own.correctParcel,
    deliver: may.deliver && own.deliver,
    refund: may.refund && own.refund,
    restock: may.restock && own.restock,
    cancel: may.cancel && own.cancel,
    resendConfirmation: may.resendConfirmation && own.resendConfirmation,
    editItems: may.editItems && own.editItems,
  };
}
