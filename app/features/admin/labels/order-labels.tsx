import type { OrderLabel } from "../../../../domain/labels/labels.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useRefreshWhile } from "../../../ui/browser/use-refresh-while.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { OrderCard } from "../orders/order/order-card.tsx";
import { useMayCall } from "../rights.ts";
import { PrintLabel } from "./print-label.tsx";

/** The labels of the order's parcels, to print or void, each with its state at the carrier. */
export function OrderLabels({
  orderId,
  labels: allLabels,
}: {
  orderId: string;
  labels: readonly OrderLabel[];
}) {
  useRefreshWhile(allLabels.some(({ state }) => state === "buying" || state === "voiding"));
  const labels = allLabels.filter(({ returnId }) => returnId === null);
  if (labels.length === 0) return null;
  return (
    <OrderCard title={labels.length === 1 ? "Label" : "Labels"}>
      <ul className="grid gap-5">
        {labels.map((label) => (
          <li key={label.labelId}>
            <LabelItem orderId={orderId} label={label} />
          </li>
        ))}
      </ul>
    </OrderCard>
  );
}

const stateTexts: Record<OrderLabel["state"], string> = {
  buying: "The carrier has not answered yet. The shop keeps asking.",
  bought: "",
  failed: "Not bought: the carrier refused it.",
  voiding: "The carrier has not confirmed yet that it is void. The shop keeps asking.",
  voided: "Void: it must not be used.",
};

const refundTexts: Record<NonNullable<OrderLabel["refund"]>, string> = {
  pending: "The carrier has not refunded its price yet.",
  rejected: "The carrier refuses to refund its price.",
  unknown: "The carrier never said whether it refunded its price.",
};

const trackingTexts: Record<OrderLabel["tracking"], string> = {
  announced: "",
  on_the_way: ". The carrier has it",
  exception: ". The carrier reports a problem",
  delivered: ". Delivered",
};

/** One label. The shop prints an order's labels; the buyer prints the label of a return. */
export function LabelItem({ orderId, label }: { orderId: string; label: OrderLabel }) {
  const isForReturn = label.returnId !== null;
  const mayCountAsVoid = useMayCall("POST /api/admin/orders/:id/labels/:labelId/count-as-void");
  const { labelId, state, carrier, service, amount, trackingNumber, labelUrl, boughtAt, printedAt } = label;
  return (
    <>
      <p className="text-ui wrap-anywhere">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <b className="font-semibold">
            {carrier} {service}
          </b>
          {label.isTest && <Badge tone="blue">Test</Badge>}
          {state === "voided" && <Badge tone="cream">Void</Badge>}
          {amount !== undefined && <span className="ml-auto tabular-nums">{formatCents(amount)}</span>}
        </span>
        {/* For a shipped order, the number is shown with its parcel. */}
        {trackingNumber && !(label.isShipped && state === "bought") && (
          <span className="block">{trackingNumber}</span>
        )}
        <span className="block text-small text-ink-muted">
          {boughtAt && (
            <>
              Bought <ShortDay iso={boughtAt} withTime />
            </>
          )}
          {printedAt && (
            <>
              , printed <ShortDay iso={printedAt} withTime />
            </>
          )}
          {trackingTexts[label.tracking]}
          {state === "bought" &&
            !label.isShipped &&
            !isForReturn &&
            ". The order does not count as shipped yet."}
        </span>
        {stateTexts[state] && (
          <span className="block text-small">
            {stateTexts[state]}
            {label.refund && ` ${refundTexts[label.refund]}`}
          </span>
        )}
      </p>
      {state === "voiding" && mayCountAsVoid && (
        <div className="mt-3">
          <ButtonWithConfirmation
            label="Count as void"
            call="POST /api/admin/orders/:id/labels/:labelId/count-as-void"
            title="Count this label as void?"
            description={`You can then buy another label. ${carrier} hasn’t confirmed the void: if it refuses, you pay for both (${formatCents(amount ?? 0)} for this one). Don’t use this label.`}
            confirmLabel="Count as void"
            keepLabel="Keep waiting"
            success={{ title: "The label counts as void", description: "Another one can be bought." }}
            send={(run) => run({ params: { id: orderId, labelId } })}
          />
        </div>
      )}
      {labelUrl && (
        <div className="mt-3 flex flex-wrap gap-2">
          {isForReturn ? (
            <a
              href={labelUrl}
              target="_blank"
              rel="noreferrer"
              className={buttonClass({ variant: "secondary", size: "small" })}
            >
              Open label
            </a>
          ) : (
            <PrintLabel
              labelIds={[labelId]}
              url={labelUrl}
              className={buttonClass({ variant: printedAt ? "secondary" : "primary", size: "small" })}
            >
              Print label
            </PrintLabel>
          )}
          <ButtonWithConfirmation
            label="Void"
            call="DELETE /api/admin/orders/:id/labels/:labelId"
            title="Void this label?"
            description={
              isForReturn
                ? "The shop asks the carrier to refund its price. The customer has this label: tell them not to use it."
                : "The shop asks the carrier to refund its price, and the order moves back to “To ship”. The printed label must not be used."
            }
            confirmLabel="Void label"
            keepLabel="Keep it"
            busyText="Voiding..."
            success={{
              title: "Label voided",
              ...(!isForReturn && { description: "The order is back in “To ship”." }),
            }}
            send={(run) => run({ params: { id: orderId, labelId }, timeoutMs: 60_000 })}
          />
        </div>
      )}
    </>
  );
}
