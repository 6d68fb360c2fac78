import { useEffect, useState } from "react";
import { type ShipHold, shipHoldText } from "../../../../domain/disputes/dispute.ts";
import type { BoughtLabel, LabelRate } from "../../../../domain/labels/labels.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { arrivalDates } from "../../../../domain/shipping/arrival.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { type ApiProblem, callApi } from "../../api.ts";
import { FormDialog } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { useRights } from "../rights.ts";
import { withUnlock } from "../shell/session-questions.tsx";
import { AddressCheck } from "./address-check.tsx";

/** Services for the parcel of an order or a return, the proposed one chosen, and the purchase of its label. */
export function LabelDialog({
  order: { id, number, shipHold },
  returnId,
  onBought,
  onClose,
}: {
  order: { id: string; number: number; shipHold: ShipHold | null };
  /** The return whose label is sent to the buyer; missing: the label of what is left of the order. */
  returnId?: string;
  onBought?: (label: BoughtLabel) => void;
  onClose: () => void;
}) {
  const [rates, setRates] = useState<LabelRate[] | null>(null);
  const [refusal, setRefusal] = useState<ApiProblem | null>(null);
  const isPacker = useRights().role === "packer";
  const mailNotice = useMailNotice();
  const title = `${returnId ? "Return label" : "Label"} for order #${number}`;
  const form = useAdminForm(
    "POST /api/admin/orders/:id/labels",
    { rateId: "", reason: "" },
    {
      check: ({ reason }): Record<string, string> =>
        shipHold && reason.trim() === "" ? { reason: "Say why you buy it anyway" } : {},
      // The component that shows the label announces it itself.
      ...(onBought === undefined && {
        success: returnId
          ? {
              title: `Return label of order #${number} sent`,
              description: mailNotice("The customer gets an email."),
            }
          : { title: `Label of order #${number} bought` },
      }),
    },
  );
  const { rateId, reason } = form.values;

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once, when the dialog opens
  useEffect(requestRates, []);
  function requestRates() {
    setRates(null);
    void withUnlock(() =>
      callApi("POST /api/admin/orders/:id/label-rates", {
        params: { id },
        body: returnId ? { returnId } : {},
        timeoutMs: 30_000,
      }),
    ).then((answer) => {
      if (!answer.ok) return setRefusal(answer.problem);
      const [proposed] = answer.body.data;
      setRates(isPacker && proposed ? [proposed] : answer.body.data);
      form.set({ rateId: proposed?.rateId ?? "" });
    });
  }

  const chosen = rates?.find((rate) => rate.rateId === rateId);
  const action = returnId ? "Buy and send" : "Buy label";
  return (
    <FormDialog
      title={title}
      description={
        shipHold
          ? shipHoldText[shipHold]
          : returnId
            ? "From the customer to you. The cheapest service is chosen."
            : "The cheapest service that keeps the promised day is chosen."
      }
      form={form}
      submitLabel={chosen?.amount === undefined ? action : `${action}, ${formatCents(chosen.amount)}`}
      busyText="Buying..."
      failure="No label was bought."
      isReady={chosen !== undefined}
      send={async () => {
        const body = { rateId, ...(shipHold && { force: true, reason: reason.trim() }) };
        const answer = await form.run({ params: { id }, body, timeoutMs: 60_000 });
        if (answer.ok) onBought?.(answer.body.data);
        return answer;
      }}
      onClose={onClose}
    >
      {refusal && <Banner title="No label can be bought.">{refusal.message}</Banner>}
      {!refusal && !returnId && <AddressCheck orderId={id} onCorrected={requestRates} />}
      {!refusal && !rates && <Skeleton className="h-46" />}
      {rates && (
        <fieldset className="grid gap-2">
          <legend className="sr-only">Service</legend>
          {rates.map((rate) => (
            <RateChoice
              key={rate.rateId}
              rate={rate}
              isChosen={rate.rateId === rateId}
              onChoose={() => form.set({ rateId: rate.rateId })}
            />
          ))}
        </fieldset>
      )}
      {rates && shipHold && (
        <Field
          {...form.field("reason")}
          label="Why you buy it anyway"
          name="label-reason"
          hint="Kept in Activity, for you."
          maxLength={500}
          disabled={form.busy}
        />
      )}
    </FormDialog>
  );
}

function RateChoice({
  rate: { carrier, service, arrivesOn, amount },
  isChosen,
  onChoose,
}: {
  rate: LabelRate;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label className="grid min-h-14 cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 rounded-sm border border-line-strong bg-surface px-3.5 py-2 text-ui has-checked:border-forest-800 has-checked:bg-cream">
      <input
        type="radio"
        name="label-rate"
        checked={isChosen}
        onChange={onChoose}
        className="size-5 accent-forest-800"
      />
      <span className="min-w-0 leading-snug wrap-anywhere">
        <b className="font-semibold">{service}</b>
        <span className="block text-small text-ink-muted">
          {carrier}
          {arrivesOn && `, arrives ${arrivalDates({ earliest: arrivesOn, latest: arrivesOn })}`}
        </span>
      </span>
      {amount !== undefined && <span className="font-medium tabular-nums">{formatCents(amount)}</span>}
    </label>
  );
}
