import Printer from "lucide-react/icons/printer";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** Opens the packing slips of orders in a new tab, ready to print. `parcelId`: of a shipped parcel. */
export function SlipsLink({ orderIds, parcelId }: { orderIds: string[]; parcelId?: string }) {
  const query = new URLSearchParams(orderIds.map((id) => ["order", id]));
  if (parcelId !== undefined) query.set("parcel", parcelId);
  return (
    <a
      href={`/admin/packing-slips?${query}`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass({ variant: "secondary", size: "small" })}
    >
      <Icon glyph={Printer} size="small" /> {orderIds.length === 1 ? "Packing slip" : "Packing slips"}
    </a>
  );
}

/** Link to the order's page as its buyer sees and prints it. */
export function ReceiptLink({ orderId }: { orderId: string }) {
  return (
    <a
      href={`/orders/${orderId}`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass({ variant: "secondary", size: "small" })}
    >
      <Icon glyph={Printer} size="small" /> Receipt
    </a>
  );
}
