import Check from "lucide-react/icons/check";
import Clock from "lucide-react/icons/clock";
import Truck from "lucide-react/icons/truck";
import Undo2 from "lucide-react/icons/undo-2";
import X from "lucide-react/icons/x";
import type { PaymentState } from "../../../domain/orders/order.ts";
import { type OrderStatus, orderStatusLabel, orderStatusTone } from "../../../domain/orders/order-status.ts";
import { Badge } from "../../ui/badge.tsx";

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
 * `isCancelled`: the order was cancelled after payment; its status changes only once it is refunded. `payment`
 * distinguishes a pending order whose payment takes days from an unpaid order, and a replacement from a paid order.
 * `isExchanged`: the order was refunded by a credit for other orders, not with money.
 */
export function OrderBadge({
  status,
  payment,
  isCancelled = false,
  isExchanged = false,
}: {
  status: OrderStatus;
  payment: PaymentState;
  isCancelled?: boolean;
  isExchanged?: boolean;
}) {
  if (isCancelled && status !== "refunded") {
    return (
      <Badge tone="blue" glyph={X}>
        Cancelled
      </Badge>
    );
  }
  const isProcessing = status === "pending" && payment === "processing";
  const isFree = status === "completed" && payment === "none";
  return (
    <Badge tone={tones[orderStatusTone(status)]} glyph={glyphs[status]}>
      {isProcessing
        ? "Payment processing"
        : isFree
          ? "Being prepared"
          : isExchanged
            ? "Exchanged"
            : orderStatusLabel(status)}
    </Badge>
  );
}
