import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { shipHoldText } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Panel } from "../../../../ui/card.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { focusInvalid } from "../../kit/form-dialog.tsx";
import { randomUuid } from "../../kit/random-uuid.ts";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { emptyParcel, parcelBody, parcelProblems, useTrackingCheck, useUndoToast } from "../parcel.ts";
import { EmailBox, ParcelFields } from "../parcel-fields.tsx";
import { ParcelUnits, type UnitsByProduct, unitLines } from "./unit-fields.tsx";

const notShipped = "The order could not be marked as shipped";
export const shipFormId = "ship-order";

/** Why an order must not be shipped now; nothing if it may. */
export function HoldBanner({ order, className }: { order: AdminOrder; className?: string }) {
  if (!order.shipHold) return null;
  return (
    <Banner
      className={className}
      tone="danger"
      title={order.isTest ? "Do not ship this order." : "Do not ship this order yet."}
    >
      {shipHoldText[order.shipHold]}
      {order.shipHold === "owner" && order.hold?.reason && ` Reason: ${order.hold.reason}`}
    </Banner>
  );
}

/** Carrier and tracking number; the drawer's footer sends it. */
export function ShipForm({ order, onBusy }: { order: AdminOrder; onBusy: (isBusy: boolean) => void }) {
  const shipmentId = useRef(randomUuid());
  const tracking = useTrackingCheck();
  const mailNotice = useMailNotice();
  const showUndo = useUndoToast();
  const form = useAdminForm(
    "POST /api/admin/orders/:id/ship",
    { parcel: emptyParcel(), lines: null as UnitsByProduct | null, reason: "", email: true },
    {
      check: ({ parcel, lines, reason }) => ({
        ...parcelProblems(parcel),
        ...(lines && unitLines(lines).length === 0 ? { lines: "Choose what is in this parcel" } : {}),
        ...(order.shipHold && reason.trim() === "" ? { reason: "Say why you ship it anyway" } : {}),
      }),
    },
  );
  const { parcel, lines, reason, email } = form.values;
  const { busy, problem, generalProblem } = form;
  const { revalidate } = useRevalidator();
  const element = useRef<HTMLFormElement>(null);
  const refusal = useRef<HTMLDivElement>(null);
  // The button is in the drawer's footer, so its result may be out of view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is shown, even the same one
  useEffect(() => refusal.current?.focus(), [problem]);

  async function ship() {
    if (busy || tracking.isChecking) return;
    if (!form.submit()) return focusInvalid(element.current);
    if (!(await tracking.check([{ key: order.id, draft: parcel }]))) return;
    onBusy(true);
    const answer = await form.run({
      params: { id: order.id },
      body: {
        ...parcelBody(parcel),
        lines: lines && unitLines(lines),
        email,
        canUndo: true,
        shipmentId: shipmentId.current,
        ...(order.shipHold && { force: true, reason: reason.trim() }),
      },
    });
    onBusy(false);
    if (answer.ok) {
      const { fulfilment, number } = answer.body.data;
      const title = fulfilment ? `Order #${number} is shipped` : `A parcel of order #${number} is shipped`;
      const description = email
        ? mailNotice("The customer gets an email in 10 seconds.")
        : "The customer is not told.";
      showUndo({ title, description }, [{ orderId: order.id, shipmentId: shipmentId.current }]);
      shipmentId.current = randomUuid();
      form.set({ lines: null, parcel: emptyParcel(parcel.carrier) });
      return;
    }
    if (answer.problem.error !== "invalid_state") return;
    // Another user or a dispute changed the order first: reload it, so that the form shows its new state.
    toast({ title: notShipped, description: answer.problem.message, tone: "danger" });
    await revalidate();
  }

  return (
    <Panel className="p-5!">
      <h3 className="font-sans text-ui font-semibold tracking-normal">
        {order.shipments.length > 0 ? "Ship the rest" : "Ship this order"}
      </h3>
      <HoldBanner order={order} className="mt-3" />
      <form
        ref={element}
        id={shipFormId}
        noValidate
        className="mt-3.5 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void ship();
        }}
      >
        <ParcelUnits {...form.field("lines")} items={order.items} disabled={busy} />
        <ParcelFields
          {...form.field("parcel")}
          prefix="ship"
          warning={tracking.warnings[order.id]}
          disabled={busy}
          errors={form.errors}
        />
        {order.shipHold && (
          <Field
            {...form.field("reason")}
            label="Why you ship it anyway"
            name="ship-reason"
            hint="Kept in Activity, for you."
            maxLength={500}
            disabled={busy}
          />
        )}
        <EmailBox {...form.field("email")} disabled={busy} />
        {generalProblem && (
          <Banner ref={refusal} tabIndex={-1} title={`${notShipped}.`}>
            {generalProblem.message}
          </Banner>
        )}
      </form>
    </Panel>
  );
}
