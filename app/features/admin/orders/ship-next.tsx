import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import Truck from "lucide-react/icons/truck";
import { useEffect, useRef } from "react";
import { Link, useNavigate, useRevalidator } from "react-router";
import { addressLines } from "../../../../domain/address/address-format.ts";
import { itemsToPack, type Packing, type PackingItem } from "../../../../domain/orders/packing.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { readStored, store } from "../../browser-storage.ts";
import { OrderImage } from "../../orders/order-items.tsx";
import { copyAddress } from "../kit/copy.tsx";
import { randomUuid } from "../kit/random-uuid.ts";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { useShortcut } from "../shell/shortcuts.ts";
import { PackingProblem } from "./packing-problem.tsx";
import {
  emptyParcel,
  parcelBody,
  parcelProblems,
  useTrackingCheck,
  useUndoToast,
  withTrackingNumber,
} from "./parcel.ts";
import { EmailBox, ParcelFields } from "./parcel-fields.tsx";
import { SlipsLink } from "./print-links.tsx";
import { ScanButton } from "./scan-button.tsx";

const carrierKey = "ship-next-carrier";

/** One order to pack: its address, a checklist of its lines, and the parcel's fields. Booking it opens the next order. */
export function ShipNext({ order }: { order: Packing }) {
  const items = itemsToPack(order);
  const shipmentId = useRef(randomUuid());
  const element = useRef<HTMLFormElement>(null);
  const tracking = useTrackingCheck();
  const mailNotice = useMailNotice();
  const showUndo = useUndoToast();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const isPacked = (packed: number[]) => items.every(({ productId }) => packed.includes(productId));
  const form = useAdminForm(
    "POST /api/admin/orders/ship",
    { packed: [] as number[], parcel: emptyParcel(), email: true },
    {
      check: ({ packed, parcel }) => ({
        ...(isPacked(packed) ? {} : { packed: "Tick each line once it is in the parcel." }),
        ...parcelProblems(parcel),
      }),
    },
  );
  const { busy, problem } = form;
  const { packed, parcel, email } = form.values;

  // Preselects the carrier of the previous parcel.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per order
  useEffect(() => {
    const carrier = readStored("local", carrierKey);
    if (carrier) form.set({ parcel: { ...parcel, carrier } });
    element.current?.querySelector<HTMLElement>("input[type=checkbox]")?.focus();
  }, []);

  const skip = () => void navigate(`?after=${order.id}`);
  useShortcut({ keys: "s", label: "Skip this order", run: skip });

  function tick(productId: number, isTicked: boolean) {
    const next = isTicked ? [...packed, productId] : packed.filter((id) => id !== productId);
    form.set({ packed: next });
    if (!isTicked) return;
    const open = items.find((item) => !next.includes(item.productId));
    const name = open ? `pack-${open.productId}` : "next-tracking";
    element.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  async function ship() {
    if (busy || tracking.isChecking) return;
    if (!form.submit()) {
      const open = items.find(({ productId }) => !packed.includes(productId));
      element.current?.querySelector<HTMLElement>(`[name="pack-${open?.productId}"]`)?.focus();
      return;
    }
    if (!(await tracking.check([{ key: order.id, draft: parcel }]))) return;
    const { number, id: orderId } = order;
    const lines = items.map(({ productId, quantity }) => ({ productId, quantity }));
    const shipment = { ...parcelBody(parcel), lines, shipmentId: shipmentId.current, email, canUndo: true };
    const answer = await form.run({ body: { orders: [{ id: orderId, ...shipment }] } });
    const [result] = answer.ok ? answer.body.data : [];
    if (!result) return;
    if (!result.ok) {
      toast({ title: `Order #${number} was not shipped`, description: result.reason, tone: "danger" });
      await revalidate();
      return;
    }
    store("local", carrierKey, parcel.carrier);
    const description = email
      ? mailNotice("The customer gets an email in 10 seconds.")
      : "The customer is not told.";
    showUndo({ title: `Order #${number} is shipped`, description }, [
      { orderId, shipmentId: shipmentId.current },
    ]);
  }

  return (
    <form
      ref={element}
      noValidate
      className="grid max-w-form gap-4 pb-24"
      onSubmit={(event) => {
        event.preventDefault();
        void ship();
      }}
    >
      <Panel className="grid gap-5 p-5!">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="flex flex-wrap items-center gap-2.5 text-h3 lining-nums">
            Order #{order.number}
            {order.gift && <Badge tone="cream">Gift</Badge>}
            {order.shipments.length > 0 && <Badge tone="yellow">The rest</Badge>}
          </h2>
          <p className="text-small text-ink-muted">
            <ShortDay iso={order.createdAt} />, {order.shippingOption.name}
          </p>
        </div>
        <Address order={order} />
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-small font-semibold">In this parcel</legend>
          {items.map((item) => (
            <PackLine
              key={item.productId}
              item={item}
              isTicked={packed.includes(item.productId)}
              onTick={(isTicked) => tick(item.productId, isTicked)}
            />
          ))}
          {form.errors.packed && (
            <p role="alert" className="text-small font-medium text-danger">
              {form.errors.packed}
            </p>
          )}
        </fieldset>
        <ParcelFields
          {...form.field("parcel")}
          prefix="next"
          disabled={busy}
          errors={form.errors}
          warning={tracking.warnings[order.id]}
          scan={
            <ScanButton
              disabled={busy}
              onScan={(trackingNumber) => form.set({ parcel: withTrackingNumber(parcel, trackingNumber) })}
            />
          }
        />
        <EmailBox {...form.field("email")} disabled={busy} />
        {problem && <Banner title="The order could not be marked as shipped.">{problem.message}</Banner>}
      </Panel>
      <div className="sticky bottom-(--admin-bar-h,0px) z-(--z-sticky) flex gap-2 rounded-md border border-line bg-surface p-3 shadow-pop">
        <Button type="submit" className="grow" busy={busy || tracking.isChecking} busyText="Saving...">
          <Icon glyph={Truck} size="small" />
          {tracking.warnings[order.id] ? "Ship with this number" : "Ship & next"}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={skip}>
          Skip
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        <SlipsLink orderIds={[order.id]} />
        <PackingProblem order={order} />
        <Link
          to="/admin/orders?status=to_ship"
          className="link inline-flex min-h-11 items-center px-2 text-small"
        >
          All orders to ship
        </Link>
      </div>
    </form>
  );
}

function Address({ order }: { order: Packing }) {
  const lines = addressLines(order);
  return (
    <div className="flex items-start justify-between gap-3 rounded-sm bg-cream-soft p-4">
      <address className="min-w-0 text-lead leading-snug wrap-anywhere not-italic">
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal and never move
          <span key={at} className={`block ${at === 0 ? "font-semibold" : ""}`}>
            {line}
          </span>
        ))}
        {order.phone && <span className="block text-small text-ink-muted">{order.phone}</span>}
      </address>
      <TextButton onClick={() => void copyAddress(lines, "Select it by hand.")}>
        <Icon glyph={Copy} size="small" /> Copy
      </TextButton>
    </div>
  );
}

/** One line to pack; the whole row is its target. */
function PackLine({
  item: { productId, name, sku, image, quantity, batches },
  isTicked,
  onTick,
}: {
  item: PackingItem;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}) {
  return (
    <label
      className={`grid cursor-pointer grid-cols-[auto_60px_1fr_auto] items-center gap-3 rounded-sm border p-3 ${isTicked ? "border-success-line bg-success-bg" : "border-line"}`}
    >
      <input
        type="checkbox"
        name={`pack-${productId}`}
        checked={isTicked}
        onChange={(event) => onTick(event.target.checked)}
        className="size-6 accent-forest-800"
      />
      <OrderImage url={image} />
      <span className="min-w-0 text-ui wrap-anywhere">
        <b className="text-lead font-semibold tabular-nums">{quantity} ×</b> {name}
        {sku && <span className="block text-small text-ink-muted">SKU {sku}</span>}
        {batches.map(({ code }) => (
          <span key={code} className="block text-small text-ink-muted">
            Batch {code}
          </span>
        ))}
      </span>
      <Icon glyph={Check} className={isTicked ? "text-success" : "invisible"} />
    </label>
  );
}
