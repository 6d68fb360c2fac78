import Undo2 from "lucide-react/icons/undo-2";
import { useEffect, useRef, useState } from "react";
import { type AdminOrder, paidForUnits } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Button } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import type { ApiProblem } from "../../../api.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { payerOf } from "../order-labels.ts";
import { type RestockDraft, RestockFields, restockOf } from "./restock-fields.tsx";
import { useRefund } from "./use-refund.ts";

/** Collapsed, so that nobody refunds by accident. */
export function OrderRefund({ order }: { order: AdminOrder }) {
  const [isOpen, setOpen] = useState(false);
  // Here and not in the form: one that is closed and opened again asks for the same refund.
  const action = useRefund(order);
  if (!order.may.refund) return null;
  return (
    <section id="refund">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? "refund-form" : undefined}
        className="inline-flex min-h-11 items-center gap-2 text-ui text-danger underline decoration-1 underline-offset-[.3em]"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon glyph={Undo2} size="small" /> Refund this order
      </button>
      {isOpen && (
        <RefundForm key={order.refundableCents} order={order} action={action} onDone={() => setOpen(false)} />
      )}
    </section>
  );
}

/** Without an answer nobody knows; asking again is safe, as it is the same refund (use-refund.ts). */
function RefundProblem({ problem }: { problem: ApiProblem }) {
  const { status, message } = problem;
  const isUnknown = status === 0 || status >= 500;
  const banner = useRef<HTMLDivElement>(null);
  // It may stand under the drawer's footer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another problem is other news
  useEffect(() => banner.current?.focus(), [problem]);
  return (
    <Banner
      ref={banner}
      tabIndex={-1}
      className="scroll-my-24"
      title={isUnknown ? "It is not known whether the refund was made." : "The refund was not made."}
    >
      {message}
      {isUnknown && " Trying again is safe: nothing is given back twice."}
    </Banner>
  );
}

/** Starts anew when what is left changes: the amount offered is always all that is left. */
function RefundForm({
  order,
  action: { busy, problem, fields, refund },
  onDone,
}: {
  order: AdminOrder;
  action: ReturnType<typeof useRefund>;
  onDone: () => void;
}) {
  const { refundableCents, items, fulfilment } = order;
  const [amount, setAmount] = useState(refundableCents);
  const [reason, setReason] = useState("");
  const [restock, setRestock] = useState<RestockDraft>({});
  const [isAsking, setAsking] = useState(false);
  const unitsPaid = Math.min(
    refundableCents,
    items.reduce((sum, item) => sum + paidForUnits(item, restock[item.productId] ?? 0), 0),
  );

  const isReady = amount > 0 && amount <= refundableCents;

  async function send() {
    if (await refund({ amount, reason: reason.trim() || null, restock: restockOf(restock) })) onDone();
    else setAsking(false);
  }

  return (
    <form
      id="refund-form"
      className="mt-2 grid gap-4 rounded-md bg-danger-bg p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !busy) setAsking(true);
      }}
    >
      <MoneyField
        name="refund-amount"
        label={`Amount (up to ${formatCents(refundableCents)})`}
        className="max-w-48"
        value={amount}
        maxCents={refundableCents}
        disabled={busy}
        error={fields.amount}
        onChange={(cents) => setAmount(cents ?? Number.NaN)}
      />
      <Field
        label="Reason"
        optional
        name="refund-reason"
        hint="The customer can read it on the order’s page."
        maxLength={500}
        value={reason}
        disabled={busy}
        error={fields.reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <RestockFields
        items={items}
        draft={restock}
        onChange={setRestock}
        disabled={busy}
        error={fields.restock}
      />
      {unitsPaid > 0 && unitsPaid !== amount && (
        <p className="text-small">
          {formatCents(unitsPaid)} was paid for these units, tax included.{" "}
          <TextButton disabled={busy} onClick={() => setAmount(unitsPaid)}>
            Refund that
          </TextButton>
        </p>
      )}
      <p className="text-small">
        The customer gets an email once it has gone through.
        {fulfilment === null && order.may.cancel && (
          <> To cancel the whole order, choose “Cancel this order” instead.</>
        )}
      </p>
      {problem && Object.keys(fields).length === 0 && <RefundProblem problem={problem} />}
      <Button
        type="submit"
        variant="danger"
        size="small"
        className="justify-self-start"
        busy={busy}
        busyText="Refunding..."
        disabled={!isReady}
      >
        {isReady ? `Refund ${formatCents(amount)}` : "Refund"}
      </Button>
      {isAsking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title={`Refund ${formatCents(amount)} to ${payerOf(order)}?`}
          description={`It goes back the way order #${order.number} was paid. This cannot be undone.`}
          confirmLabel={`Refund ${formatCents(amount)}`}
          keepLabel="Keep the money"
          busyText="Refunding..."
          busy={busy}
          onConfirm={() => void send()}
        />
      )}
    </form>
  );
}
