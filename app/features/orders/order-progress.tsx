import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import type { Order } from "../../../domain/orders/order.ts";
import { orderTimeline } from "../../../domain/orders/order-text.ts";
import { dispatchTime } from "../../../domain/settings/facts.ts";
import { deliveryDays, type ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { Timeline, type TimelineEntry } from "./timeline.tsx";

/** The order's status timeline, with its parcel once there is one. */
export function OrderProgress({ order, policy }: { order: Order; policy: ShippingPolicy }) {
  const option = policy.zones
    .flatMap(({ options }) => options)
    .find(({ id }) => id === order.shippingOption.id);
  const entries = orderTimeline(order).map(({ title, at, state }, position): TimelineEntry => {
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
            {isOnItsWay && option && (
              <>
                . Arrives in <span className="whitespace-nowrap">{deliveryDays(option)}</span>.
              </>
            )}
          </p>
          {title === "Shipped" && <Parcel order={order} />}
        </>
      ) : (
        isNextToShip && `Within ${dispatchTime}`
      ),
    };
  });
  return <Timeline entries={entries} />;
}

function Parcel({ order: { fulfilment } }: { order: Order }) {
  if (!fulfilment) return null;
  const { carrier, trackingNumber, trackingUrl } = fulfilment;
  return (
    <>
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
