import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import type { Order, OrderShipment } from "../../../domain/orders/order.ts";
import { orderTimeline } from "../../../domain/orders/order-text.ts";
import { dispatchTime } from "../../../domain/settings/facts.ts";
import { promisedArrival } from "../../../domain/shipping/arrival.ts";
import { deliveryDays, type ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { Timeline, type TimelineEntry } from "./timeline.tsx";

/** The timeline of the order's status, with its parcels. */
export function OrderProgress({
  order,
  policy,
  waitsUntil,
  today,
}: {
  order: Order;
  policy: ShippingPolicy;
  /** Until when (ISO 8601) shipping waits for the payment of an order edit; null: it does not wait. */
  waitsUntil: string | null;
  /** `YYYY-MM-DD` */
  today: string;
}) {
  const option = policy.zones
    .flatMap(({ options }) => options)
    .find(({ id }) => id === order.shippingOption.id);
  const promised = promisedArrival(order.arrival, order.fulfilment?.shippedAt.slice(0, 10) ?? today);
  const entries = orderTimeline(order).map(({ title, at, state, parcel }, position): TimelineEntry => {
    const isOnItsWay = title === "Shipped" && order.status === "shipped";
    const isNextToShip = title === "Shipped" && order.status !== "pending" && at === null;
    return {
      id: `${position} ${title}`,
      title,
      state,
      note: at ? (
        <>
          <p>
            <Time iso={at} to="minute" />
            {isOnItsWay && promised && `. ${promised}.`}
            {isOnItsWay && !promised && option && (
              <>
                . Arrives in <span className="whitespace-nowrap">{deliveryDays(option)}</span>.
              </>
            )}
          </p>
          {parcel && (
            <Parcel parcel={parcel} isOnly={order.shipments.length === 1 && order.fulfilment !== null} />
          )}
        </>
      ) : (
        isNextToShip &&
        (waitsUntil ? (
          <>
            Once what was added is paid, or after <Time iso={waitsUntil} /> without it.
          </>
        ) : (
          `Within ${dispatchTime}${promised ? `. ${promised}.` : ""}`
        ))
      ),
    };
  });
  return <Timeline entries={entries} />;
}

/** `isOnly`: the parcel has the whole order, so its contents are not listed. */
function Parcel({ parcel, isOnly }: { parcel: OrderShipment; isOnly: boolean }) {
  const { carrier, trackingNumber, trackingUrl, items, deliveredAt } = parcel;
  return (
    <>
      {!isOnly && (
        <p>
          {parcelContents(items)}
          {deliveredAt && (
            <>
              , delivered <Time iso={deliveredAt} />
            </>
          )}
        </p>
      )}
      <p>
        {carrier} {trackingNumber}
      </p>
      {trackingUrl && (
        <a
          href={trackingUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 link print:hidden"
        >
          Track package <Icon glyph={ArrowUpRight} size="small" />
          <span className="sr-only">(opens a new tab)</span>
        </a>
      )}
    </>
  );
}

function parcelContents(items: OrderShipment["items"]): string {
  return items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ");
}

/** The contents of several parcels, for printing, where the timeline is left out. */
export function PrintedParcels({ shipments }: Pick<Order, "shipments">) {
  if (shipments.length < 2) return null;
  return (
    <ul className="mt-5 hidden text-small print:block">
      {shipments.map(({ id, number, carrier, trackingNumber, shippedAt, items }) => (
        <li key={id}>
          Parcel {number}, <Time iso={shippedAt} />: {parcelContents(items)}. {carrier} {trackingNumber}
        </li>
      ))}
    </ul>
  );
}
