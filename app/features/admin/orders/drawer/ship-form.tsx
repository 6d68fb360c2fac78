import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { shipHoldText } from "../../../../../domain/payments/dispute.ts";
import { Panel } from "../../../../ui/card.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { focusInvalid } from "../../kit/focus-invalid.ts";
import { randomUuid } from "../../kit/random-uuid.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailWords } from "../../kit/use-mail-words.ts";
import { EmailBox } from "../email-box.tsx";
import { emptyParcel, parcelBody, parcelProblems } from "../parcel.ts";
import { ParcelFields } from "../parcel-fields.tsx";
import { useTrackingCheck } from "../use-tracking-check.ts";
import { useUndoToast } from "../use-undo-toast.ts";
import { type ChosenUnits, linesOf, PartFields } from "./part-fields.tsx";

const notShipped = "The order could not be marked as shipped";
export const shipFormId = "ship-order";

/** Why an order must not be shipped now, if so. */
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
  const [draft, setDraft] = useState(emptyParcel());
  const [isEmailed, setEmailed] = useState(true);
  const [units, setUnits] = useState<ChosenUnits | null>(null);
  const shipmentId = useRef(randomUuid());
  const tracking = useTrackingCheck();
  const mailWords = useMailWords();
  const showUndo = useUndoToast();
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { busy, fields, problem, run } = useAdminAction("POST /api/admin/orders/:id/ship", { failure: null });
  const { revalidate } = useRevalidator();
  const form = useRef<HTMLFormElement>(null);
  const refusal = useRef<HTMLDivElement>(null);
  // The button is at the drawer's foot: what came of it may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is shown, even the same one
  useEffect(() => refusal.current?.focus(), [problem]);

  const problems: Record<string, string> = {
    ...parcelProblems(draft),
    ...(units && linesOf(units).length === 0 ? { lines: "Choose what is in this parcel" } : {}),
    ...(order.shipHold && reason.trim() === "" ? { reason: "Say why you ship it anyway" } : {}),
  };

  async function ship() {
    if (busy || tracking.isChecking) return;
    setChecked(true);
    if (Object.keys(problems).length > 0) return focusInvalid(form.current);
    if (!(await tracking.check([{ key: order.id, draft }]))) return;
    onBusy(true);
    const answer = await run({
      params: { id: order.id },
      body: {
        ...parcelBody(draft),
        lines: units && linesOf(units),
        email: isEmailed,
        canUndo: true,
        shipmentId: shipmentId.current,
        ...(order.shipHold && { force: true, reason: reason.trim() }),
      },
    });
    onBusy(false);
    if (answer.ok) {
      const { fulfilment, number } = answer.body.data;
      const title = fulfilment ? `Order #${number} is shipped` : `A parcel of order #${number} is shipped`;
      const description = isEmailed
        ? mailWords("The customer gets an email in 10 seconds.")
        : "The customer is not told.";
      showUndo({ title, description }, [{ orderId: order.id, shipmentId: shipmentId.current }]);
      shipmentId.current = randomUuid();
      setUnits(null);
      setDraft(emptyParcel(draft.carrier));
      return;
    }
    if (answer.problem.error !== "invalid_state") return;
    // Somebody else was faster, or the bank: this form follows the order's new state.
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
        ref={form}
        id={shipFormId}
        noValidate
        className="mt-3.5 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void ship();
        }}
      >
        <PartFields
          items={order.items}
          units={units}
          onChange={setUnits}
          disabled={busy}
          error={isChecked ? (fields.lines ?? problems.lines) : undefined}
        />
        <ParcelFields
          prefix="ship"
          warning={tracking.warnings[order.id]}
          draft={draft}
          disabled={busy}
          errors={isChecked ? { ...fields, ...problems } : {}}
          onChange={setDraft}
        />
        {order.shipHold && (
          <Field
            label="Why you ship it anyway"
            name="ship-reason"
            hint="Kept in Activity, for you."
            value={reason}
            maxLength={500}
            disabled={busy}
            error={isChecked ? (fields.reason ?? problems.reason) : undefined}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        <EmailBox isOn={isEmailed} onChange={setEmailed} disabled={busy} />
        {problem && Object.keys(fields).length === 0 && (
          <Banner ref={refusal} tabIndex={-1} title={`${notShipped}.`}>
            {problem.message}
          </Banner>
        )}
      </form>
    </Panel>
  );
}
