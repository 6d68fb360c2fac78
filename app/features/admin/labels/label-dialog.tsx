import { useState } from "react";
import { addressLines } from "../../../../domain/address/address-format.ts";
import { type ShipHold, shipHoldText } from "../../../../domain/disputes/dispute.ts";
import type { BoughtLabel, LabelRate } from "../../../../domain/labels/labels.ts";
import type { ShippingAddress } from "../../../../domain/orders/order.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { arrivalDates } from "../../../../domain/shipping/arrival.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { Loading } from "../kit/loading.tsx";
import { useAdminAction, useAdminForm } from "../kit/use-admin-action.ts";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { useRights } from "../rights.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";

/** Lists the services for a parcel of an order or a return, with the proposed one selected, and buys the label. */
export function LabelDialog({
  order: { id, number, shipHold },
  returnId,
  onBought,
  onClose,
}: {
  order: { id: string; number: number; shipHold: ShipHold | null };
  /** The return whose label is sent to the buyer; without it, the label is for the order's units still to ship. */
  returnId?: string;
  onBought?: (label: BoughtLabel) => void;
  onClose: () => void;
}) {
  /** Number of address changes since the dialog opened. */
  const [changeCount, setChangeCount] = useState(0);
  const isPacker = useRights().role === "packer";
  const mailNotice = useMailNotice();
  const title = `${returnId ? "Return label" : "Label"} for order #${number}`;
  const form = useAdminForm(
    "POST /api/admin/orders/:id/labels",
    { rateId: "", reason: "" },
    {
      check: ({ reason }): Record<string, string> =>
        shipHold && reason.trim() === "" ? { reason: "Say why you’re buying it anyway" } : {},
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
  const { body, problem, isCurrent } = useApiResult({ id, changeCount }, (_, signal) =>
    withUnlock(() =>
      callApi("POST /api/admin/orders/:id/label-rates", {
        params: { id },
        body: returnId ? { returnId } : {},
        timeoutMs: 30_000,
        signal,
      }),
    ),
  );
  const rateProblem = isCurrent ? problem : null;
  const rates = isCurrent && !problem && body ? (isPacker ? body.data.slice(0, 1) : body.data) : null;
  const chosenRate = rates?.find((rate) => rate.rateId === rateId) ?? rates?.[0];
  const actionLabel = returnId ? "Buy and send" : "Buy label";
  return (
    <FormDialog
      title={title}
      description={
        shipHold
          ? shipHoldText[shipHold]
          : returnId
            ? "From the customer to you. The cheapest service is selected."
            : "The cheapest service that arrives by the promised day is selected."
      }
      form={form}
      submitLabel={
        chosenRate?.amount === undefined ? actionLabel : `${actionLabel}, ${formatCents(chosenRate.amount)}`
      }
      busyText="Buying..."
      failure="No label was bought."
      isReady={chosenRate !== undefined}
      send={async () => {
        const body = {
          rateId: chosenRate?.rateId ?? "",
          ...(shipHold && { force: true, reason: reason.trim() }),
        };
        const response = await form.run({ params: { id }, body, timeoutMs: 60_000 });
        if (response.ok) onBought?.(response.body.data);
        return response;
      }}
      onClose={onClose}
    >
      {rateProblem && <Banner title="No label can be bought.">{rateProblem.message}</Banner>}
      {!rateProblem && !returnId && (
        <AddressCheck
          orderId={id}
          changeCount={changeCount}
          onChanged={() => setChangeCount(changeCount + 1)}
        />
      )}
      {!rateProblem && !rates && <Loading className="h-46" />}
      {rates && (
        <fieldset className="grid gap-2">
          <legend className="sr-only">Service</legend>
          {rates.map((rate) => (
            <RateChoice
              key={rate.rateId}
              rate={rate}
              isChosen={rate === chosenRate}
              onChoose={() => form.set({ rateId: rate.rateId })}
            />
          ))}
        </fieldset>
      )}
      {rates && shipHold && (
        <Field
          {...form.field("reason")}
          label="Why you’re buying it anyway"
          name="label-reason"
          hint="Shown in Activity. Customers see it only if they ask for a copy of their data."
          maxLength={500}
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

/** The buyer's address beside the carriers' version of it; renders nothing if both are the same. */
function AddressCheck({
  orderId,
  changeCount,
  onChanged,
}: {
  orderId: string;
  changeCount: number;
  onChanged: () => void;
}) {
  const [isCorrected, setCorrected] = useState(false);
  const isPacker = useRights().role === "packer";
  const correctAddress = useAdminAction("PATCH /api/admin/orders/:id/contact", {
    success: { title: "Address corrected", description: "The buyer is notified." },
    failure: null,
  });
  const check = useApiResult(isCorrected ? null : { orderId, changeCount }, (_, signal) =>
    callApi("POST /api/admin/orders/:id/label-address", {
      params: { id: orderId },
      timeoutMs: 30_000,
      signal,
    }),
  );

  async function adoptAddress(entered: ShippingAddress, correction: ShippingAddress) {
    const response = await withUnlock(() =>
      callApi("GET /api/admin/orders/:id", { params: { id: orderId } }),
    );
    if (!response.ok) return toast({ title: "Error", description: response.problem.message, tone: "danger" });
    const { contactVersion: version, customerName, email, phone, shipping } = response.body.data;
    // The suggestion belongs to the address that was checked: the buyer may have entered another one since.
    if (shipping === null || shippingLines(shipping).join() !== shippingLines(entered).join()) {
      toast({ title: "The address has just been changed", description: "Nothing was corrected." });
      return onChanged();
    }
    const contact = { version, customerName, email, phone: phone ?? "", shipping: correction };
    const corrected = await correctAddress.run({ params: { id: orderId }, body: contact });
    if (!corrected.ok) return;
    setCorrected(true);
    onChanged();
  }

  const address = check.isCurrent && !check.problem ? check.body?.data : null;
  if (!address?.entered) return null;
  const { problem, correction, entered } = address;
  if (problem !== null) {
    return (
      <Banner tone="warning" title="The carriers do not know this address.">
        {problem} Ask the buyer before you buy its label.
      </Banner>
    );
  }
  if (!correction) return null;
  return (
    <section aria-label="Address" className="grid gap-3 rounded-sm border border-line-strong p-3.5">
      <div className="grid gap-3 sm:grid-cols-2">
        <Address title="The buyer entered" address={entered} />
        <Address title="The carriers suggest" address={correction} />
      </div>
      {correctAddress.problem && (
        <Banner title="The address was not changed.">{correctAddress.problem.message}</Banner>
      )}
      {isPacker ? (
        <p className="text-small text-ink-muted">If the difference matters, ask before you buy the label.</p>
      ) : (
        <PanelButton
          className="justify-self-start max-sm:justify-self-stretch"
          busy={correctAddress.busy}
          busyText="Correcting..."
          onClick={() => void adoptAddress(entered, correction)}
        >
          Use the carriers’ address
        </PanelButton>
      )}
    </section>
  );
}

function Address({ title, address }: { title: string; address: ShippingAddress }) {
  return (
    <div className="text-ui wrap-anywhere">
      <h3 className="font-sans text-small font-semibold text-ink-muted">{title}</h3>
      {shippingLines(address).map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </div>
  );
}

function shippingLines(shipping: ShippingAddress): string[] {
  return addressLines({ customerName: "", shipping, shippingAddress: "" }).filter(Boolean);
}
