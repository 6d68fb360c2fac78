import type { OrderLabel } from "../../../../domain/labels/labels.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useRefreshWhile } from "../../../ui/browser/use-refresh-while.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { OrderCard } from "../orders/order/order-card.tsx";
import { PrintLabel } from "./print-label.tsx";

/** The labels of the shop's parcels: print, void, and what the carrier has not answered yet. */
export function OrderLabels({ orderId, labels: all }: { orderId: string; labels: readonly OrderLabel[] }) {
  useRefreshWhile(all.some(({ state }) => state === "buying" || state === "voiding"));
  const labels = all.filter(({ returnId }) => returnId === null);
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

const stateWords: Record<OrderLabel["state"], string> = {
  buying: "The carrier has not answered yet. The shop keeps asking.",
  bought: "",
  failed: "Not bought: the carrier refused it.",
  voiding: "The carrier has not said yet that it is void. The shop keeps asking.",
  voided: "Void: it must not be used.",
};

const refundWords: Record<NonNullable<OrderLabel["refund"]>, string> = {
  pending: "The carrier has not given its price back yet.",
  rejected: "The carrier refuses to give its price back.",
};

const trackingWords: Record<OrderLabel["tracking"], string> = {
  announced: "",
  on_the_way: ". The carrier has it",
  exception: ". The carrier reports a problem",
  delivered: ". Delivered",
};

/** One label; that of a return is with its buyer. */
export function LabelItem({ orderId, label }: { orderId: string; label: OrderLabel }) {
  const isOfReturn = label.returnId !== null;
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
        {/* The parcel of a shipped order stands above with its number. */}
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
          {trackingWords[label.tracking]}
          {state === "bought" &&
            !label.isShipped &&
            !isOfReturn &&
            ". The order does not count as shipped yet."}
        </span>
        {stateWords[state] && (
          <span className="block text-small">
            {stateWords[state]}
            {label.refund && ` ${refundWords[label.refund]}`}
          </span>
        )}
      </p>
      {labelUrl && (
        <div className="mt-3 flex flex-wrap gap-2">
          {isOfReturn ? (
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
              isOfReturn
                ? "The carrier gives its price back. The customer has this label: tell them not to use it."
                : "The carrier gives its price back, and the order is to ship again. The printed label must not be used."
            }
            confirmLabel="Void label"
            keepLabel="Keep it"
            busyText="Voiding..."
            success={{
              title: "Label voided",
              ...(!isOfReturn && { description: "The order is to ship again." }),
            }}
            send={(run) => run({ params: { id: orderId, labelId }, timeoutMs: 60_000 })}
          />
        </div>
      )}
    </>
  );
}
