import ChevronRight from "lucide-react/icons/chevron-right";
import Link2 from "lucide-react/icons/link-2";
import Truck from "lucide-react/icons/truck";
import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { shipHoldText } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { FormFields, focusInvalid, handleSubmit } from "../../kit/form-dialog.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import {
  emptyParcel,
  parcelBody,
  parcelProblems,
  useShipmentIds,
  useStoredParcel,
  useTrackingCheck,
  useUndoToast,
} from "../parcel.ts";
import { EmailBox, ParcelFields } from "../parcel-fields.tsx";
import { ParcelUnits, type UnitsByProduct, unitLines } from "./unit-fields.tsx";

const notShippedTitle = "The order could not be marked as shipped";

/** Notice that other orders go to the same address, with a button that adds them to this order's parcel. */
export function SameAddressHint({
  order: { sameAddress },
  sameParcelIds,
  onChange,
}: {
  order: AdminOrder;
  sameParcelIds: readonly string[];
  onChange: (sameParcelIds: readonly string[]) => void;
}) {
  if (sameAddress.length === 0) return null;
  const numbers = sameAddress.map(({ number }) => `#${number}`).join(", ");
  const isAdded = sameParcelIds.length > 0;
  return (
    <div className="mb-3.5 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 rounded-md border border-gold-300 bg-copper-100 px-4 py-1.5 text-ui max-sm:gap-x-2 max-sm:px-3 max-sm:text-small leading-snug lg:mb-5">
      <Icon glyph={Link2} className="text-copper-700" />
      <p role="status">
        {isAdded ? (
          <>
            <b className="font-semibold">
              {numbers} {sameAddress.length === 1 ? "leaves" : "leave"} in the same parcel:
            </b>{" "}
            {sameAddress
              .flatMap(({ items }) => items)
              .map(({ quantity, description }) => `${quantity} × ${description}`)
              .join(", ")}
          </>
        ) : (
          <>
            <b className="font-semibold">
              {countWords[sameAddress.length + 1] ?? sameAddress.length + 1} orders to one address: ship
              together.
            </b>{" "}
            <span className="max-sm:hidden">
              {numbers} {sameAddress.length === 1 ? "goes" : "go"} to the same person, too.
            </span>
          </>
        )}
      </p>
      <button
        type="button"
        className="inline-flex min-h-11 items-center gap-0.5 font-medium whitespace-nowrap text-link hover:underline"
        onClick={() => onChange(isAdded ? [] : sameAddress.map(({ id }) => id))}
      >
        {isAdded ? "Take out" : `Add ${sameAddress.length > 2 ? "them" : numbers}`}
        {!isAdded && <Icon glyph={ChevronRight} size="small" />}
      </button>
    </div>
  );
}

const countWords: Record<number, string> = { 2: "Two", 3: "Three", 4: "Four", 5: "Five" };

/** Carrier and tracking number of the order's next parcel; `sameParcelIds`: other orders in it. */
export function ShipForm({
  order,
  sameParcelIds,
  isHeld = false,
  onShipped,
}: {
  order: AdminOrder;
  sameParcelIds: readonly string[];
  /** Whether the order is on hold, so that shipping it needs a reason. */
  isHeld?: boolean;
  onShipped: () => void;
}) {
  const shipmentIds = useShipmentIds();
  const tracking = useTrackingCheck();
  const mailNotice = useMailNotice();
  const showUndo = useUndoToast();
  const form = useAdminForm(
    "POST /api/admin/orders/ship",
    { parcel: emptyParcel(), lines: null as UnitsByProduct | null, reason: "", email: true },
    {
      check: ({ parcel, lines, reason }) => ({
        ...parcelProblems(parcel),
        ...(lines && unitLines(lines).length === 0 ? { lines: "Choose what is in this parcel" } : {}),
        ...(isHeld && reason.trim() === "" ? { reason: "Say why you’re shipping it anyway" } : {}),
      }),
    },
  );
  const { parcel, lines, reason, email } = form.values;
  const { busy, problem, generalProblem } = form;
  const storeParcel = useStoredParcel(order, (storedParcel) => form.set({ parcel: storedParcel }));
  const { revalidate } = useRevalidator();
  const formElement = useRef<HTMLFormElement>(null);
  const problemBanner = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure takes the focus, even a repeated one
  useEffect(() => problemBanner.current?.focus(), [problem]);

  async function ship() {
    if (busy || tracking.isChecking) return;
    if (!form.submit()) return focusInvalid(formElement.current);
    if (!(await tracking.check([{ key: order.id, draft: parcel }]))) return;
    const parcelFields = { ...parcelBody(parcel), email, canUndo: true };
    const thisOrder = {
      id: order.id,
      ...parcelFields,
      lines: lines && unitLines(lines),
      shipmentId: shipmentIds.of(order.id),
      ...(isHeld && { force: true, reason: reason.trim() }),
    };
    const otherOrders = sameParcelIds.map((id) => ({ id, ...parcelFields, shipmentId: shipmentIds.of(id) }));
    const response = await form.run({ body: { orders: [thisOrder, ...otherOrders] } });
    if (!response.ok) return;
    const results = response.body.data;
    const shippedOrders = results.filter((result) => result.ok);
    const refusal = results.find((result) => !result.ok);
    if (refusal && !refusal.ok) {
      const title = refusal.id === order.id ? notShippedTitle : `Order #${refusal.number} was not shipped`;
      toast({ title, description: refusal.reason, tone: "danger" });
      // Another user or a dispute has changed the order in the meantime: reload it, so that the page shows its new state.
      await revalidate();
    } else {
      const isPartOfOrder =
        lines !== null && order.items.some(({ productId, toShip }) => toShip > (lines[productId] ?? 0));
      const title =
        shippedOrders.length > 1
          ? `${shippedOrders.length} orders are shipped`
          : isPartOfOrder
            ? `A parcel of order #${order.number} is shipped`
            : `Order #${order.number} is shipped`;
      const description = email
        ? mailNotice("The customer gets an email in 10 seconds.")
        : "The customer is not notified.";
      showUndo(
        { title, description },
        shippedOrders.map(({ id }) => ({ orderId: id, shipmentId: shipmentIds.of(id) })),
      );
    }
    for (const { id } of shippedOrders) shipmentIds.forget(id);
    if (shippedOrders.length === 0) return;
    storeParcel(null);
    form.set({ lines: null, parcel: emptyParcel(parcel.carrier) });
    onShipped();
  }

  return (
    <form
      ref={formElement}
      noValidate
      aria-label={order.shipments.length > 0 ? "Ship the rest" : "Ship this order"}
      className={isHeld ? "mt-4 grid gap-3" : "grid gap-3 p-4 lg:p-5"}
      onSubmit={handleSubmit(ship)}
    >
      <FormFields name="Parcel" busy={busy}>
        {sameParcelIds.length === 0 && <ParcelUnits {...form.field("lines")} items={order.items} />}
        <ParcelFields
          value={parcel}
          onChange={(next) => {
            form.set({ parcel: next });
            storeParcel(next);
          }}
          prefix="ship"
          warning={tracking.warnings[order.id]}
          errors={form.errors}
          action={
            <Button
              type="submit"
              className="min-h-12.5! px-3! lg:px-6!"
              block
              busy={busy || tracking.isChecking}
              busyText="Saving..."
            >
              <Icon glyph={Truck} size="small" /> {isHeld ? "Ship anyway" : "Mark as shipped"}
            </Button>
          }
        />
        {isHeld && (
          <Field
            {...form.field("reason")}
            label="Why you’re shipping it anyway"
            name="ship-reason"
            hint="Shown in Activity; the customer does not see it."
            maxLength={500}
          />
        )}
        <EmailBox {...form.field("email")} label="Email the customer that it has shipped" />
      </FormFields>
      {generalProblem && (
        <Banner ref={problemBanner} tabIndex={-1} title={`${notShippedTitle}.`}>
          {generalProblem.message}
        </Banner>
      )}
    </form>
  );
}

/** Dialog that ships an order despite its hold; the reason is required. */
export function ShipAnyway({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title={`Ship order #${order.number} anyway?`}
      description={order.shipHold && shipHoldText[order.shipHold]}
    >
      <ShipForm order={order} sameParcelIds={[]} isHeld onShipped={onClose} />
      <TextButton className="mt-2" onClick={onClose}>
        Keep it on hold
      </TextButton>
    </Dialog>
  );
}
