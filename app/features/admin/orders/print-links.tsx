import Printer from "lucide-react/icons/printer";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** Opens what goes into the parcels of these orders, ready to print, beside the panel. `parcelId`: of one that has left. */
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

/** The order's own page as its buyer sees and prints it. */
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
