import Printer from "lucide-react/icons/printer";
import { useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import type { OrderShipment } from "../../../../../domain/orders/order.ts";
import { Button, buttonClass } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { ActionButton, PanelButton } from "../../kit/action-button.tsx";
import { FormFields, handleSubmit } from "../../kit/form-dialog.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { parcelBody, parcelDraft, parcelProblems, slipsPath, useTrackingCheck } from "../parcel.ts";
import { ParcelFields } from "../parcel-fields.tsx";
import { OrderCard } from "./order-card.tsx";

/** The order's parcels with their tracking, which can be corrected. */
export function ParcelFacts({ order }: { order: AdminOrder }) {
  const holdsWholeOrder = order.fulfilment !== null && order.shipments.length === 1;
  return (
    <OrderCard title={holdsWholeOrder ? "Parcel" : "Parcels"}>
      <ul className="grid gap-5">
        {order.shipments.map((parcel) => (
          <ParcelItem key={parcel.id} order={order} parcel={parcel} holdsWholeOrder={holdsWholeOrder} />
        ))}
      </ul>
    </OrderCard>
  );
}

/**
 * `holdsWholeOrder`: whether the parcel holds the whole order. Its contents are then not listed, and the order's own button
 * marks it as delivered.
 */
function ParcelItem({
  order,
  parcel,
  holdsWholeOrder,
}: {
  order: AdminOrder;
  parcel: OrderShipment;
  holdsWholeOrder: boolean;
}) {
  const [isEditing, setEditing] = useState(false);
  const { carrier, trackingNumber, trackingUrl, shippedAt, deliveredAt, items } = parcel;
  return (
    <li>
      <p className="text-ui wrap-anywhere">
        {!holdsWholeOrder && <b className="font-semibold">Parcel {parcel.number}: </b>}
        {carrier}{" "}
        {trackingUrl ? (
          <a className="link" href={trackingUrl} target="_blank" rel="noreferrer">
            {trackingNumber}
          </a>
        ) : (
          (trackingNumber ?? <span className="text-ink-muted">without a tracking number</span>)
        )}
        {!holdsWholeOrder &&
          items.map(({ productId, quantity, name }) => (
            <span key={productId} className="block text-small">
              {quantity} × {name}
            </span>
          ))}
        <span className="block text-small text-ink-muted">
          Shipped <ShortDay iso={shippedAt} withTime />
          {deliveredAt && (
            <>
              ,{" "}
              <span className="whitespace-nowrap">
                delivered <ShortDay iso={deliveredAt} withTime />
              </span>
            </>
          )}
        </span>
      </p>
      {isEditing ? (
        <TrackingForm orderId={order.id} parcel={parcel} onDone={() => setEditing(false)} />
      ) : (
        <div className="mt-3 flex flex-wrap gap-2">
          {order.may.correctParcel && (
            <PanelButton onClick={() => setEditing(true)}>
              {trackingNumber === null ? "Add tracking number" : "Correct the tracking"}
            </PanelButton>
          )}
          {!holdsWholeOrder && deliveredAt === null && (
            <ActionButton
              call="POST /api/admin/orders/:id/shipments/:shipmentId/deliver"
              success={{ title: `Parcel ${parcel.number} is delivered` }}
              failure="Failed to mark the parcel as delivered"
              send={(run) => run({ params: { id: order.id, shipmentId: parcel.id } })}
            >
              Mark as delivered
            </ActionButton>
          )}
          {!holdsWholeOrder && (
            <a
              href={slipsPath([order.id], parcel.id)}
              target="_blank"
              rel="noreferrer"
              className={buttonClass({ variant: "secondary", size: "small" })}
            >
              <Icon glyph={Printer} size="small" /> Packing slip
            </a>
          )}
        </div>
      )}
    </li>
  );
}

function TrackingForm({
  orderId,
  parcel,
  onDone,
}: {
  orderId: string;
  parcel: OrderShipment;
  onDone: () => void;
}) {
  const mailNotice = useMailNotice();
  const tracking = useTrackingCheck();
  const form = useAdminForm(
    "PATCH /api/admin/orders/:id/shipments/:shipmentId",
    { parcel: parcelDraft(parcel) },
    {
      success: {
        title: "Tracking corrected",
        description: mailNotice("The customer gets the right link by email."),
      },
    },
  );
  const { busy, fields, generalProblem } = form;
  const draft = form.values.parcel;
  const problems = parcelProblems(draft);

  async function save() {
    if (busy || tracking.isChecking || Object.keys(problems).length > 0) return;
    const isChanged = parcelBody(draft).trackingNumber !== parcel.trackingNumber;
    if (isChanged && !(await tracking.check([{ key: parcel.id, draft }]))) return;
    const response = await form.run({
      params: { id: orderId, shipmentId: parcel.id },
      body: parcelBody(draft),
    });
    if (response.ok) onDone();
  }

  return (
    <form noValidate className="mt-3 grid gap-3" onSubmit={handleSubmit(save)}>
      <FormFields name="Parcel" busy={busy}>
        <ParcelFields
          {...form.field("parcel")}
          prefix={`correct-${parcel.number}`}
          errors={{ ...fields, ...problems }}
          warning={tracking.warnings[parcel.id]}
          action={
            <Button
              type="submit"
              className="min-h-12.5!"
              block
              busy={busy || tracking.isChecking}
              busyText="Saving..."
            >
              Save
            </Button>
          }
        />
      </FormFields>
      {generalProblem && (
        <Banner title="The tracking could not be corrected.">{generalProblem.message}</Banner>
      )}
      <PanelButton variant="quiet" className="-ml-3 justify-self-start" disabled={busy} onClick={onDone}>
        Cancel
      </PanelButton>
    </form>
  );
}
