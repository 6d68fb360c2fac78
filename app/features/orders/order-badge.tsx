import Check from "lucide-react/icons/check";
import Clock from "lucide-react/icons/clock";
import Truck from "lucide-react/icons/truck";
import Undo2 from "lucide-react/icons/undo-2";
import X from "lucide-react/icons/x";
import type { PaymentState } from "../../../domain/orders/order.ts";
import { type OrderStatus, orderStatusLabel, orderStatusTone } from "../../../domain/orders/order-status.ts";
import { Badge, type BadgeSize } from "../../ui/badge.tsx";

const tones = { success: "green", warning: "yellow", info: "blue" } as const;

const glyphs = {
  pending: Clock,
  completed: Check,
  shipped: Truck,
  delivered: Check,
  cancelled: X,
  partially_refunded: Undo2,
  refunded: Undo2,
};

/**
 * `calledOff`: its buyer cancelled it after it was paid; until it is paid back its state does not say so. Nor does it say
 * that a pending order was paid for in a way that takes days: `payment` does.
 */
export function OrderBadge({
  status,
  payment,
  calledOff = false,
  size = "normal",
}: {
  status: OrderStatus;
  payment: PaymentState;
  calledOff?: boolean;
  size?: BadgeSize;
}) {
  if (calledOff && status !== "refunded")
    return <OrderBadge status="cancelled" payment={payment} size={size} />;
  const isProcessing = status === "pending" && payment === "processing";
  return (
    <Badge size={size} tone={tones[orderStatusTone(status)]} glyph={glyphs[status]}>
      {isProcessing ? "Payment processing" : orderStatusLabel(status)}
    </Badge>
  );
}
