import CirclePlay from "lucide-react/icons/circle-play";
import Pause from "lucide-react/icons/pause";
import { useState } from "react";
import type { ShipHold } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useAdminForm } from "../../kit/use-admin-form.ts";
import { useMay } from "../../rights.ts";
import { PackingProblem } from "../packing-problem.tsx";

/** Holds that end only with a decision by the bank or the payment provider. */
const heldByOthers: ReadonlySet<ShipHold> = new Set(["dispute", "fraud", "review"]);

/** Holds an order back from shipping, or lets it go. */
export function OrderHold({ order }: { order: AdminOrder }) {
  const [isAsking, setAsking] = useState(false);
  const mayHold = useMay("POST /api/admin/orders/:id/hold");
  const off = useAdminAction("POST /api/admin/orders/:id/hold", {
    success: { title: `Order #${order.number} can be shipped again` },
    failure: "The order is still on hold",
  });
  if (order.hold === null && !order.may.ship) return null;
  if (!mayHold) return order.hold === null && order.may.ship ? <PackingProblem order={order} /> : null;
  if (order.hold) {
    return (
      <Button
        variant="secondary"
        size="small"
        busy={off.busy}
        busyText="Saving..."
        onClick={() => void off.run({ params: { id: order.id }, body: { held: false } })}
      >
        <Icon glyph={CirclePlay} size="small" /> Take off hold
      </Button>
    );
  }
  if (order.shipHold !== null && heldByOthers.has(order.shipHold)) return null;
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
  const { reason } = form.values;
  function hold() {
    const body = { held: true, reason: reason.trim() || null };
    return form.run({ params: { id: order.id }, body });
  }
  return (
    <FormDialog
      id="hold"
      title={`Put order #${order.number} on hold?`}
      description="It leaves “To ship” and waits under “On hold” until you take it off. The customer is not told."
      form={form}
      submitLabel="Put on hold"
      busyText="Saving..."
      failure="The order was not put on hold."
      isReady
      send={hold}
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
