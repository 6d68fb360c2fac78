import CirclePlay from "lucide-react/icons/circle-play";
import Mail from "lucide-react/icons/mail";
import PackagePlus from "lucide-react/icons/package-plus";
import Pause from "lucide-react/icons/pause";
import { useState } from "react";
import type { ShipHold } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { DrawerSection } from "../../kit/drawer.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { useMay, useRights } from "../../rights.ts";
import { PackingProblem } from "../packing-problem.tsx";
import { ReceiptLink, SlipsLink } from "../print-links.tsx";
import { CancelOrder } from "./cancel-order.tsx";
import { RestockFields, type UnitsByProduct, unitLines } from "./unit-fields.tsx";

/** Actions available in any state of an order. */
export function OrderMore({ order }: { order: AdminOrder }) {
  const [openDialog, setOpenDialog] = useState<"cancel" | "restock" | null>(null);
  const { may, paidAt } = order;
  const { role } = useRights();
  return (
    <DrawerSection title="Actions">
      <div className="flex flex-wrap gap-2">
        {(may.ship || may.correctParcel) && <SlipsLink orderIds={[order.id]} />}
        {paidAt !== null && role !== "packer" && <ReceiptLink orderId={order.id} />}
        {may.resendConfirmation && <Resend orderId={order.id} />}
        {may.restock && order.fulfilment !== null && (
          <Button variant="secondary" size="small" onClick={() => setOpenDialog("restock")}>
            <Icon glyph={PackagePlus} size="small" /> Put units back
          </Button>
        )}
        <OrderHold order={order} />
        {may.cancel && (
          <Button variant="danger-quiet" size="small" onClick={() => setOpenDialog("cancel")}>
            Cancel this order
          </Button>
        )}
      </div>
      {openDialog === "cancel" && <CancelOrder order={order} onClose={() => setOpenDialog(null)} />}
      {openDialog === "restock" && <RestockOrder order={order} onClose={() => setOpenDialog(null)} />}
    </DrawerSection>
  );
}

function Resend({ orderId }: { orderId: string }) {
  const mailNotice = useMailNotice();
  return (
    <ActionButton
      call="POST /api/admin/orders/:id/resend-confirmation"
      success={{
        title: mailNotice(
          "The confirmation is on its way again",
          "The confirmation is kept, not sent",
          "The confirmation waits to be sent",
        ),
        description: mailNotice("To the customer’s email address."),
      }}
      failure="Failed to send the confirmation"
      busyText="Sending..."
      send={(run) => run({ params: { id: orderId } })}
    >
      <Icon glyph={Mail} size="small" /> Resend confirmation
    </ActionButton>
  );
}

/** Restocks units of a parcel that came back, without a refund. */
function RestockOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/restock",
    { restock: {} as UnitsByProduct },
    { success: { title: "The units are back on the shelf" } },
  );
  const restock = unitLines(form.values.restock);
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Put units back on the shelf"
      description="Choose what came back and can be sold again. No money is given back with this."
      confirmLabel="Put back"
      form={form}
      danger={false}
      disabled={restock.length === 0}
      send={() => form.run({ params: { id: order.id }, body: { restock } })}
    >
      <div className="mt-4">
        <RestockFields {...form.field("restock")} items={order.items} disabled={form.busy} />
      </div>
    </ConfirmDialog>
  );
}

/** Holds that end only with a decision by the bank or the payment provider. */
const holdsByOthers: ReadonlySet<ShipHold> = new Set(["dispute", "fraud", "review"]);

/** Puts an order on hold, or takes it off hold. */
function OrderHold({ order }: { order: AdminOrder }) {
  const [isAsking, setAsking] = useState(false);
  const mayHold = useMay("POST /api/admin/orders/:id/hold");
  if (order.hold === null && !order.may.ship) return null;
  if (!mayHold) return order.hold === null && order.may.ship ? <PackingProblem order={order} /> : null;
  if (order.hold) {
    return (
      <ActionButton
        call="POST /api/admin/orders/:id/hold"
        success={{ title: `Order #${order.number} can be shipped again` }}
        failure="The order is still on hold"
        send={(run) => run({ params: { id: order.id }, body: { held: false } })}
      >
        <Icon glyph={CirclePlay} size="small" /> Take off hold
      </ActionButton>
    );
  }
  if (order.shipHold !== null && holdsByOthers.has(order.shipHold)) return null;
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setAsking(true)}>
        <Icon glyph={Pause} size="small" /> Put on hold
      </Button>
      {isAsking && <HoldDialog order={order} onClose={() => setAsking(false)} />}
    </>
  );
}

function HoldDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/hold",
    { reason: "" },
    { success: { title: `Order #${order.number} is on hold` } },
  );
  return (
    <FormDialog
      title={`Put order #${order.number} on hold?`}
      description="It leaves “To ship” and waits under “On hold” until you take it off. The customer is not told."
      form={form}
      submitLabel="Put on hold"
      failure="The order was not put on hold."
      isReady
      send={() =>
        form.run({
          params: { id: order.id },
          body: { held: true, reason: form.values.reason.trim() || null },
        })
      }
      onClose={onClose}
    >
      <Field
        {...form.field("reason")}
        label="Why"
        optional
        name="hold-reason"
        hint="For the panel only."
        maxLength={200}
      />
    </FormDialog>
  );
}
