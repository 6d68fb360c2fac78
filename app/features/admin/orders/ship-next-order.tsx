import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import Globe from "lucide-react/icons/globe";
import Zap from "lucide-react/icons/zap";
import { Link } from "react-router";
import { addressLines } from "../../../../domain/address/address-format.ts";
import { itemsToPack, type Packing, type PackingItem } from "../../../../domain/orders/packing.ts";
import { countryName } from "../../../../domain/shared/country.ts";
import { homeCountry } from "../../../../domain/shipping/served-countries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { OrderImage } from "../../orders/order-items.tsx";
import { copyAddress } from "../kit/copy.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { PhoneDoubt } from "./order-marks.tsx";

/** A line to pack, of this order or of another order in the same parcel. */
type PackingLine = { key: string; quantity: number; name: string; item?: PackingItem };

export function packingLines(order: Packing, otherOrders: Packing["sameAddress"]): PackingLine[] {
  const ownItems = itemsToPack(order).map((item) => ({
    key: String(item.productId),
    quantity: item.quantity,
    name: item.name,
    item,
  }));
  const otherItems = otherOrders.flatMap(({ id, number, items }) =>
    items.map(({ quantity, description }, index) => ({
      key: `${id}-${index}`,
      quantity,
      name: `${description} (of #${number})`,
    })),
  );
  return [...ownItems, ...otherItems];
}

/** Alerts the packer to expedited delivery and to foreign addresses. */
export function UrgencyBanner({ order }: { order: Packing }) {
  const country = order.shipping?.country ?? homeCountry;
  const isAbroad = country !== homeCountry;
  if (!order.isExpedited && !isAbroad) return null;
  return (
    <p
      className={`flex items-center gap-2.5 rounded-t-md px-4 py-2.5 font-semibold text-white ${order.isExpedited ? "bg-copper-700" : "bg-info"}`}
    >
      <Icon glyph={order.isExpedited ? Zap : Globe} />
      {order.isExpedited ? order.shippingOption.name : (countryName(country) ?? country)}
      <span className="ml-auto text-small font-medium">
        {order.isExpedited
          ? isAbroad
            ? (countryName(country) ?? country)
            : "Ship it first"
          : order.shippingOption.name}
      </span>
    </p>
  );
}

export function Address({ order }: { order: Packing }) {
  const lines = addressLines(order);
  return (
    <div className="min-w-0 p-4 lg:p-5">
      <div className="relative -mt-2 flex flex-wrap items-center gap-x-2.5 pr-20 text-small text-ink-muted">
        <h2 className="font-sans text-small font-medium tracking-normal">
          <Link
            className="link inline-flex min-h-11 items-center"
            to={`/admin/orders/${order.id}?status=to_ship`}
          >
            Order #{order.number}
          </Link>
        </h2>
        <ShortDay iso={order.createdAt} />
        {(order.gift || order.shipments.length > 0) && (
          <span className="mb-2 flex flex-wrap gap-2">
            {order.gift && <Badge tone="cream">Gift</Badge>}
            {order.shipments.length > 0 && <Badge tone="yellow">Remaining items</Badge>}
          </span>
        )}
        <TextButton
          className="absolute top-0 right-0"
          onClick={() => void copyAddress(lines, "Select it by hand.")}
        >
          <Icon glyph={Copy} size="small" /> Copy
        </TextButton>
      </div>
      <address className="text-[1.375rem] leading-[1.32] wrap-anywhere not-italic">
        {lines.map((line, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal and never move
            key={index}
            className={`block ${index === 0 || index === lines.length - 1 ? "font-semibold" : ""}`}
          >
            {line}
          </span>
        ))}
        {order.phone && <span className="block text-small text-ink-muted">{order.phone}</span>}
      </address>
      {order.phoneDoubt && <PhoneDoubt />}
    </div>
  );
}

/** One line to pack. If there are several, each has a checkbox (`isTicked` not null), and the whole row can be pressed. */
export function PackLine({
  line: { key, quantity, name, item },
  isTicked,
  onTick,
}: {
  line: PackingLine;
  isTicked: boolean | null;
  onTick: (isTicked: boolean) => void;
}) {
  const content = (
    <>
      <OrderImage url={item?.image ?? null} className="h-12 w-10" />
      <span className="min-w-0 text-ui leading-snug wrap-anywhere">
        <b className="text-lead font-semibold tabular-nums">{quantity} ×</b> {name}
        {item?.sku && <span className="block text-small text-ink-muted">SKU {item.sku}</span>}
        {item?.batches.map(({ code }) => (
          <span key={code} className="block text-small text-ink-muted">
            Batch {code}
          </span>
        ))}
      </span>
    </>
  );
  if (isTicked === null) {
    return <p className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-3.5">{content}</p>;
  }
  return (
    <label
      className={`grid min-h-14 cursor-pointer grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3.5 rounded-sm border px-3.5 py-1 ${isTicked ? "border-success-line bg-success-bg" : "border-line-strong"}`}
    >
      <input
        type="checkbox"
        name={`pack-${key}`}
        checked={isTicked}
        onChange={(event) => onTick(event.target.checked)}
        className="size-6 accent-forest-800"
      />
      {content}
      <Icon glyph={Check} className={isTicked ? "text-success" : "invisible"} />
    </label>
  );
}
