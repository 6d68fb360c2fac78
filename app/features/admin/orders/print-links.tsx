import Printer from "lucide-react/icons/printer";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** The address of the packing slips of orders. `parcelId`: for one shipped parcel only. */
export function slipsPath(orderIds: readonly string[], parcelId?: string): string {
  const query = new URLSearchParams(orderIds.map((id) => ["order", id]));
  if (parcelId !== undefined) query.set("parcel", parcelId);
  return `/admin/packing-slips?${query}`;
}

/** Opens packing slips in a new tab, ready to print. */
export function SlipsLink({ orderIds, parcelId }: { orderIds: string[]; parcelId?: string }) {
  return (
    <a
      href={slipsPath(orderIds, parcelId)}
      target="_blank"
      rel="noreferrer"
      className={buttonClass({ variant: "secondary", size: "small" })}
    >
      <Icon glyph={Printer} size="small" /> {orderIds.length === 1 ? "Packing slip" : "Packing slips"}
    </a>
  );
}
