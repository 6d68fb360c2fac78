import CircleCheck from "lucide-react/icons/circle-check";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { BoughtLabel } from "../../../../domain/labels/labels.ts";
import type { AdminOrderRow } from "../../../../domain/orders/admin-orders.ts";
import { homeCountry } from "../../../../domain/shipping/served-countries.ts";
import { iconButtonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PrintLabel } from "../labels/print-label.tsx";
import { CountryTag, ExpeditedTag } from "./order-marks.tsx";
import { type ShippedParcel, undoMs, useUndo } from "./parcel.ts";

/** Result of the previous order: a message, and the parcels that can be undone or the label to print. */
export type PackingResult = {
  message: string;
  isProblem?: boolean;
  parcels: readonly ShippedParcel[];
  /** The bought label, to be printed. */
  label?: BoughtLabel;
};

/** The dark bar on top: close button, position in the queue, and Skip. `waiting`: number of orders in the queue. */
export function TaskBar({
  position,
  waiting,
  skipId,
}: {
  position: number;
  waiting: number;
  skipId: string | null;
}) {
  const total = waiting >= 100 ? "100+" : waiting;
  return (
    <header className="on-dark sticky top-0 z-(--z-header) bg-forest-800 text-ink-on-dark">
      <div className="mx-auto grid h-14 max-w-300 grid-cols-[4.5rem_minmax(0,1fr)_4.5rem] items-center px-2 lg:px-(--gutter)">
        <Link
          to="/admin/orders?status=to_ship"
          aria-label="All orders to ship"
          className={`${iconButtonClass} hover:bg-white/10`}
        >
          <Icon glyph={X} />
        </Link>
        <h1 className="text-center font-sans text-ui font-medium tracking-normal">
          Ship next{position > 0 && `, ${position} of ${total}`}
        </h1>
        {skipId && (
          <Link
            to={`?after=${skipId}`}
            className="inline-flex min-h-11 min-w-11 items-center justify-center justify-self-end px-3 text-ui no-underline hover:underline lg:hidden"
          >
            Skip
          </Link>
        )}
      </div>
      <div aria-hidden="true" className="h-0.75 bg-white/15">
        <div
          className="h-full origin-left bg-copper-400"
          ref={(bar) => {
            if (bar) bar.style.width = `${waiting > 0 ? (position / waiting) * 100 : 100}%`;
          }}
        />
      </div>
    </header>
  );
}

/**
 * Reports in the page what happened to the previous order, because a toast would cover the next one. Offers Undo while it is
 * possible.
 */
export function LastResult({
  result,
  onUndone,
}: {
  result: PackingResult | null;
  onUndone: (result: PackingResult) => void;
}) {
  const undo = useUndo();
  const [canUndo, setCanUndo] = useState(false);
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    setCanUndo(result !== null && result.parcels.length > 0);
    const timer = setTimeout(() => setCanUndo(false), undoMs);
    return () => clearTimeout(timer);
  }, [result]);

  async function undoParcel({ parcels }: PackingResult) {
    // The focused button disappears.
    line.current?.focus();
    setCanUndo(false);
    const problem = await undo(parcels);
    onUndone({
      message: problem === null ? "Undone: nothing was sent to the customer." : `Not undone: ${problem}`,
      isProblem: problem !== null,
      parcels: [],
    });
  }

  return (
    <div role="status" className="contents">
      {result && (
        <p
          ref={line}
          tabIndex={-1}
          className={`flex min-h-11 items-center gap-2.5 rounded-md border px-4 text-ui ${result.isProblem ? "border-danger-line bg-danger-bg text-danger" : "border-success-line bg-success-bg text-success"}`}
        >
          <Icon glyph={CircleCheck} size="small" />
          <span className="mr-auto py-2 leading-snug">{result.message}</span>
          {result.label && (
            <PrintLabel
              labelIds={[result.label.labelId]}
              url={result.label.labelUrl}
              className="inline-flex min-h-11 min-w-11 items-center gap-1.5 px-2 font-medium whitespace-nowrap underline underline-offset-[.25em]"
            >
              Print label
            </PrintLabel>
          )}
          {canUndo && (
            <button
              type="button"
              className="min-h-11 min-w-11 shrink-0 px-2 font-medium whitespace-nowrap underline underline-offset-[.25em]"
              onClick={() => void undoParcel(result)}
            >
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** The next orders of the queue, beside the current one on wide screens. */
export function PackingQueueList({
  orders,
  currentId,
}: {
  orders: readonly AdminOrderRow[];
  currentId: string | null;
}) {
  if (orders.length < 2) return null;
  return (
    <section aria-label="To ship" className="rounded-md border border-line bg-surface max-lg:hidden">
      <h2 className="border-b border-line px-4 py-3.5 card-title">To ship</h2>
      <ul className="divide-y divide-line">
        {orders.map(({ orderId, number, customer, items, isExpedited, shippingOption, shipTo }) => (
          <li
            key={orderId}
            aria-current={orderId === currentId ? "true" : undefined}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 py-2.5 text-ui leading-snug aria-[current=true]:bg-cream-soft aria-[current=true]:shadow-[inset_3px_0_0_var(--color-copper-600)]"
          >
            <span className="font-medium wrap-anywhere">{customer?.name ?? "Anonymous"}</span>
            <span>
              {isExpedited ? (
                <ExpeditedTag>{shippingOption}</ExpeditedTag>
              ) : (
                shipTo && shipTo.country !== homeCountry && <CountryTag code={shipTo.country} />
              )}
            </span>
            <span className="col-span-2 text-small text-ink-muted">
              #{number} ·{" "}
              {items.map(({ quantity, description }) => `${quantity} × ${description}`).join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
