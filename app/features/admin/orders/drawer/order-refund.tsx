import Undo2 from "lucide-react/icons/undo-2";
import { useEffect, useRef, useState } from "react";
import type { AdminOrder, Restock } from "../../../../../domain/orders/admin-order.ts";
import { refundByLines, shippingLeft } from "../../../../../domain/orders/line-refund.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Button } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field, Select } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { useForm } from "../../../../ui/use-form.ts";
import { type ApiProblem, callApi } from "../../../api.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { randomUuid } from "../../kit/random-uuid.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { payerOf } from "../order-labels.ts";
import {
  type LinesDraft,
  RefundLines,
  RestockFields,
  type UnitsByProduct,
  unitLines,
} from "./unit-fields.tsx";

/** Collapsed, to avoid accidental refunds. */
export function OrderRefund({
  order,
  isOpen,
  onToggle,
}: {
  order: AdminOrder;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}) {
  const section = useRef<HTMLElement>(null);
  // Another part of the drawer may have opened it.
  useEffect(() => {
    if (!isOpen || section.current?.contains(document.activeElement)) return;
    section.current?.querySelector<HTMLElement>("form :is(select, input)")?.focus();
  }, [isOpen]);
  // Here and not in the form, so that a form that is closed and opened again repeats the same refund.
  const action = useRefund(order);
  if (!order.may.refund) return null;
  return (
    <section ref={section} id="refund">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? "refund-form" : undefined}
        className="inline-flex min-h-11 items-center gap-2 text-ui text-danger underline decoration-1 underline-offset-[.3em]"
        onClick={() => onToggle(!isOpen)}
      >
        <Icon glyph={Undo2} size="small" /> Refund this order
      </button>
      {isOpen && (
        <RefundForm
          key={order.refundableCents}
          order={order}
          action={action}
          onDone={() => onToggle(false)}
        />
      )}
    </section>
  );
}

/** Without an answer the outcome is unknown; a retry is safe, as it repeats the same refund (`useRefund`). */
function RefundProblem({ problem }: { problem: ApiProblem }) {
  const { status, message } = problem;
  const isUnknown = status === 0 || status >= 500;
  const banner = useRef<HTMLDivElement>(null);
  // The banner may be covered by the drawer's footer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same problem again gets the focus again
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

/** Starts over when the refundable rest changes: by line if lines are left, otherwise by amount. */
function RefundForm({
  order,
  action: { busy, problem, fields, refund },
  onDone,
}: {
  order: AdminOrder;
  action: ReturnType<typeof useRefund>;
  onDone: () => void;
}) {
  const { refundableCents, refundable, items, fulfilment } = order;
  const hasLines = refundable.lines.some(({ units }) => units > 0) || shippingLeft(refundable) > 0;
  const form = useForm(
    {
      by: hasLines ? "lines" : "amount",
      lines: { units: {}, back: {}, shipping: 0 } as LinesDraft,
      amount: refundableCents,
      restock: {} as UnitsByProduct,
      reason: "",
    },
    { problems: fields },
  );
  const { lines, amount, restock, reason } = form.values;
  const isByLine = form.values.by === "lines";
  const [isAsking, setAsking] = useState(false);
  const requested = { items: unitLines(lines.units), shipping: lines.shipping };
  const split =
    requested.shipping >= 0 && requested.shipping <= shippingLeft(refundable)
      ? refundByLines(refundable, requested)
      : null;
  const cents = isByLine ? (split?.amount ?? 0) : amount;
  const isReady = cents > 0 && cents <= refundableCents;
  const mailNotice = useMailNotice();
  const isOutside = order.payment?.provider === "manual";

  async function send() {
    const restockLines = unitLines(restock);
    const what = isByLine
      ? {
          items: requested.items.map((item) => ({ ...item, restock: lines.back[item.productId] ?? false })),
          shipping: requested.shipping,
        }
      : { amount, restock: restockLines.length > 0 ? restockLines : null };
    if (await refund({ ...what, reason: reason.trim() || null })) onDone();
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
      {hasLines && (
        <Select {...form.field("by")} label="Refund" name="refund-by" className="max-w-60" disabled={busy}>
          <option value="lines">Items and shipping</option>
          <option value="amount">An amount</option>
        </Select>
      )}
      {isByLine ? (
        <RefundLines {...form.field("lines")} order={order} split={split} disabled={busy} fields={fields} />
      ) : (
        <>
          <MoneyField
            {...form.field("amount")}
            name="refund-amount"
            label={`Amount (up to ${formatCents(refundableCents)})`}
            className="max-w-60"
            maxCents={refundableCents}
            disabled={busy}
          />
          <RestockFields {...form.field("restock")} items={items} disabled={busy} />
        </>
      )}
      <Field
        {...form.field("reason")}
        label="Reason"
        optional
        name="refund-reason"
        hint="The customer can read it on the order’s page."
        maxLength={500}
        disabled={busy}
      />
      <p className="text-small">
        {mailNotice(
          "The customer gets an email once it has gone through.",
          "No mail server is set: the customer’s email will be kept, not sent.",
          "No email leaves just now: the customer’s waits, and goes out by itself.",
        )}
        {fulfilment === null && order.may.cancel && (
          <> To cancel the whole order, choose “Cancel this order” instead.</>
        )}
      </p>
      {isByLine && cents > refundableCents && (
        <p className="text-caption font-medium text-danger">
          At most {formatCents(refundableCents)} can be given back.
        </p>
      )}
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
        {isReady ? `Refund ${formatCents(cents)}` : "Refund"}
      </Button>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Refund ${formatCents(cents)} to ${payerOf(order)}?`}
          description={
            isOutside
              ? `Order #${order.number} was paid outside the shop. Pay the money back yourself: this only records it, and cannot be undone.`
              : `It goes back the way order #${order.number} was paid. This cannot be undone.`
          }
          confirmLabel={`Refund ${formatCents(cents)}`}
          keepLabel="Keep the money"
          busyText="Refunding..."
          form={{ busy, problem: null }}
          send={() => void send()}
        />
      )}
    </form>
  );
}

type RefundRequest = { reason: string | null } & (
  | { amount: number; restock: Restock | null }
  | { items: { productId: number; quantity: number; restock: boolean }[]; shipping: number }
);

/**
 * Refunds an order. A call repeated because its answer was lost is the same refund: it keeps its key until an answer
 * arrives, the input changes, or the order shows a new refund. Use the hook in a component that outlives the form.
 */
function useRefund({ id: orderId, refundableCents }: Pick<AdminOrder, "id" | "refundableCents">) {
  const { busy, problem, fields, perform } = useAdminAction("POST /api/admin/orders/:id/refund", {
    failure: null,
  });
  const mailNotice = useMailNotice();
  const unanswered = useRef<{ requested: string; key: string } | null>(null);

  async function refund(body: RefundRequest): Promise<boolean> {
    const requested = JSON.stringify([refundableCents, body]);
    if (unanswered.current?.requested !== requested) unanswered.current = { requested, key: randomUuid() };
    const headers = { "Idempotency-Key": unanswered.current.key };
    const answer = await perform(
      () =>
        callApi("POST /api/admin/orders/:id/refund", {
          params: { id: orderId },
          body,
          headers,
          timeoutMs: 60_000,
        }),
      {
        success: ({ data: { refund: booked } }) =>
          booked.status === "succeeded"
            ? {
                title: `Refunded ${formatCents(booked.amount)}`,
                description: mailNotice("The customer gets an email."),
              }
            : {
                title: `Refund of ${formatCents(booked.amount)} is on its way`,
                description: "The payment provider has not confirmed it yet. The order shows when it has.",
              },
      },
    );
    // A definite answer ends this refund: the next one is a new refund, even for the same amount.
    const { status } = answer.ok ? { status: 200 } : answer.problem;
    if (status > 0 && status < 500) unanswered.current = null;
    return answer.ok;
  }

  return { busy, problem, fields, refund };
}
