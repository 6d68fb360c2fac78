import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import { isExchanged, type Order, type OrderShipment } from "../../../domain/orders/order.ts";
import { isGoingBack } from "../../../domain/orders/order-return.ts";
import { orderTimeline, trackingTitles } from "../../../domain/orders/order-timeline.ts";
import { dispatchTime } from "../../../domain/settings/facts.ts";
import { promisedArrival } from "../../../domain/shipping/arrival.ts";
import { deliveryDays, type ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";

/** The timeline of the order's status, with its parcels. */
export function OrderProgress({
  order,
  policy,
  waitsUntil,
  shipDay,
}: {
  order: Order;
  policy: ShippingPolicy;
  /** Until when (ISO 8601) shipping waits for the payment of an order edit; null if it does not wait. */
  waitsUntil: string | null;
  /** The day of shipment in the shop's time zone, or today until then: `YYYY-MM-DD`. */
  shipDay: string;
}) {
  const option = policy.zones
    .flatMap(({ options }) => options)
    .find(({ id }) => id === order.shippingOption.id);
  const promise = promisedArrival(order.arrival, shipDay);
  return (
    <ol className="grid text-ui">
      {orderTimeline(order).map(({ title, at, state, parcel }, position) => {
        const isNextToShip = title === "Shipped" && order.status !== "pending" && at === null;
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may share title and time
            key={`${position} ${title}`}
            aria-current={state === "now" ? "step" : undefined}
            className="relative grid grid-cols-[12px_minmax(0,1fr)] gap-x-4 pb-4.5 last:pb-0 not-last:after:absolute not-last:after:top-4 not-last:after:-bottom-1 not-last:after:left-[5px] not-last:after:w-px not-last:after:bg-line-strong/55"
          >
            <span className={`mt-1.5 ml-px size-[9px] rounded-full border-[1.5px] ${dots[state]}`} />
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <b
                className={
                  state === "now"
                    ? "font-semibold"
                    : state === "done"
                      ? "font-medium"
                      : "font-normal text-ink-muted"
                }
              >
                {title}
                {state === "open" && <span className="sr-only"> (to come)</span>}
              </b>
              {at && (
                <span className="text-small text-ink-muted tabular-nums">
                  <Time iso={at} precision="minute" short />
                </span>
              )}
              <div className="w-full text-small text-ink-muted tabular-nums">
                {parcel && (
                  <Parcel
                    parcel={parcel}
                    hasButton={parcel.trackingUrl === onlyTrackingUrl(order)}
                    isOnlyParcel={order.shipments.length === 1 && order.fulfilment !== null}
                  />
                )}
                {title === "Shipped" &&
                  at !== null &&
                  order.fulfilment?.deliveredAt === null &&
                  !promise &&
                  !isGoingBack(order) &&
                  parcel?.tracking?.state !== "exception" &&
                  option && (
                    <p>
                      Arrives in <span className="whitespace-nowrap">{deliveryDays(option)}</span>.
                    </p>
                  )}
                {isNextToShip &&
                  (waitsUntil ? (
                    <p>
                      As soon as the addition is paid for, or after <Time iso={waitsUntil} /> without it.
                    </p>
                  ) : (
                    <p>Within {dispatchTime}.</p>
                  ))}
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const dots = {
  done: "border-forest-800 bg-forest-800",
  now: "border-forest-800 bg-forest-800 shadow-[0_0_0_4px_var(--color-forest-200)]",
  open: "border-line-strong bg-paper",
};

/**
 * Tracking URL of the only parcel that is on its way, for the button above the order. Null if there is no such parcel
 * or more than one, or if it is being returned.
 */
export function onlyTrackingUrl(order: Order): string | null {
  const [shipment, ...others] = order.shipments.filter(({ deliveredAt }) => deliveredAt === null);
  if (!shipment || others.length > 0) return null;
  return (order.status === "refunded" && !isExchanged(order)) || isGoingBack(order)
    ? null
    : shipment.trackingUrl;
}

/**
 * `isOnlyParcel`: the parcel contains the whole order, so its contents are not listed. `hasButton`: a button above the order
 * already links to its carrier.
 */
function Parcel({
  parcel,
  isOnlyParcel,
  hasButton,
}: {
  parcel: OrderShipment;
  isOnlyParcel: boolean;
  hasButton: boolean;
}) {
  const { carrier, trackingNumber, trackingUrl, items, deliveredAt, tracking } = parcel;

  return (
    <>
      {!isOnlyParcel && (
        <p>
          {parcelContents(items)}
          {deliveredAt && (
            <>
              , delivered <Time iso={deliveredAt} short />
            </>
          )}
        </p>
      )}
      {!isOnlyParcel && tracking && (
        <p>
          {trackingTitles[tracking.state]} since <Time iso={tracking.since} short />
        </p>
      )}
      <p>
        {carrier} {trackingNumber}
      </p>
      {trackingUrl && !hasButton && (
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

/** The contents of several parcels, for printed pages, which omit the timeline. */
export function PrintedParcels({ shipments }: Pick<Order, "shipments">) {
  if (shipments.length < 2) return null;
  return (
    <ul className="mt-5 hidden text-small print:block">
      {shipments.map(({ id, number, carrier, trackingNumber, shippedAt, items }) => (
        <li key={id}>
          Package {number}, <Time iso={shippedAt} />: {parcelContents(items)}. {carrier} {trackingNumber}
        </li>
      ))}
    </ul>
  );
}
