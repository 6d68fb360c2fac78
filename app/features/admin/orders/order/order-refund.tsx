import { useEffect, useRef } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { refundByLines, shippingLeft } from "../../../../../domain/orders/line-refund.ts";
import type { OrderReturn } from "../../../../../domain/orders/order-return.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { randomUuid } from "../../../../ui/browser/random-uuid.ts";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { useForm } from "../../../../ui/use-form.ts";
import { type ApiProblem, callApi } from "../../../api.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { FormFields } from "../../kit/form-dialog.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { payerName } from "../order-labels.ts";
import { type LinesDraft, RefundLines, unitLines } from "./unit-fields.tsx";

const emptyLines: LinesDraft = { units: {}, restock: {}, shipping: 0 };

/** All units that can still be refunded, to be restocked: the default for a return that has arrived. */
function allGoods({ refundable, items }: AdminOrder): LinesDraft {
  const lines = refundable.lines.filter(({ units }) => units > 0);
  const hasUnreturnedUnits = (productId: number) =>
    items.some((item) => item.productId === productId && item.returned < item.quantity);
  return {
    units: Object.fromEntries(lines.map(({ productId, units }) => [productId, units])),
    restock: Object.fromEntries(lines.map(({ productId }) => [productId, hasUnreturnedUnits(productId)])),
    shipping: 0,
  };
}

/**
 * Refunds the chosen lines and shipping; the amount field shows their total. If an amount is typed instead, the chosen units are
 * only restocked. `receivedReturn`: the return whose goods have arrived; the refund closes it. The dialog names amount and
 * order, and is itself the confirmation.
 */
export function RefundDialog({
  order,
  refundCall: { busy, problem, fields, refund },
  receivedReturn,
  onClose,
}: {
  order: AdminOrder;
  refundCall: ReturnType<typeof useRefund>;
  receivedReturn: OrderReturn | undefined;
  onClose: () => void;
}) {
  const { refundableCents, refundable, fulfilment } = order;
  const hasLines = refundable.lines.some(({ units }) => units > 0) || shippingLeft(refundable) > 0;
  const form = useForm(
    () => ({
      lines: receivedReturn ? allGoods(order) : emptyLines,
      /** The typed amount in cents; null means the sum of the lines. */
      amount: null as number | null,
      reason: "",
    }),
    { problems: fields },
  );
  const { lines, amount, reason } = form.values;
  const chosenLines = { items: unitLines(lines.units), shipping: lines.shipping };
  const isByLine = amount === null && (chosenLines.items.length > 0 || chosenLines.shipping !== 0);
  const split =
    isByLine && chosenLines.shipping >= 0 && chosenLines.shipping <= shippingLeft(refundable)
      ? refundByLines(refundable, chosenLines)
      : null;
  const cents = amount ?? split?.amount ?? 0;
  const isReady = cents > 0 && cents <= refundableCents;
  const mailNotice = useMailNotice();
  const sum = isReady ? `Refund ${formatCents(cents)}` : "Refund";
  // A typed amount is not split, so the shipping shown is 0. Clearing the amount shows the chosen shipping again.
  const shownLines = amount === null ? lines : { ...lines, shipping: 0 };
  // Switching restocking on or off does not change the sum, so a typed amount stays.
  const setLines = (next: LinesDraft) =>
    next.restock === lines.restock
      ? form.set({ lines: next, amount: null })
      : form.set({ lines: { ...lines, restock: next.restock } });

  async function send() {
    const isRestocked = ({ productId }: { productId: number }) => lines.restock[productId] ?? false;
    const restockedUnits = chosenLines.items.filter(isRestocked);
    const amountOrLines =
      amount === null
        ? {
            items: chosenLines.items.map((item) => ({ ...item, restock: isRestocked(item) })),
            shipping: chosenLines.shipping,
          }
        : { amount, restock: restockedUnits.length > 0 ? restockedUnits : null };
    const isDone = await refund({
      ...amountOrLines,
      reason: reason.trim() || null,
      returnId: receivedReturn?.id ?? null,
    });
    return { ok: isDone };
  }

  return (
    <ConfirmDialog
      onClose={onClose}
      title={receivedReturn ? `Return of order #${order.number} received` : `Refund order #${order.number}`}
      description={
        order.payment?.isManual
          ? `${sum} to ${payerName(order)}? The order was paid outside the shop. Pay the refund yourself: this only records it, and cannot be undone.`
          : `${sum} to ${payerName(order)}? It goes back the way the order was paid. This cannot be undone.${receivedReturn ? " The return is closed with it." : ""}`
      }
      confirmLabel={sum}
      keepLabel="Keep the money"
      busyText="Refunding..."
      form={{ busy, problem: null }}
      disabled={!isReady}
      send={send}
    >
      <FormFields name="Refund" busy={busy} className="mt-4 grid gap-4">
        <div className="flex flex-wrap items-end gap-x-4">
          <MoneyField
            name="refund-amount"
            label={`Amount (up to ${formatCents(refundableCents)})`}
            className="w-full max-w-56"
            value={cents === 0 ? Number.NaN : cents}
            maxCents={refundableCents}
            error={fields.amount}
            onChange={(typedCents) => form.set({ amount: typedCents })}
            onClear={() => form.set({ amount: null })}
          />
          {cents !== refundableCents && (
            <TextButton onClick={() => form.set({ amount: refundableCents })}>The full amount</TextButton>
          )}
        </div>
        {hasLines && (
          <RefundLines value={shownLines} onChange={setLines} order={order} split={split} fields={fields} />
        )}
        <Field
          {...form.field("reason")}
          label="Reason"
          optional
          name="refund-reason"
          hint="The customer can read it on the order’s page."
          maxLength={500}
        />
        <p className="text-small text-ink-muted">
          {mailNotice(
            "The customer gets an email once it has gone through.",
            "No mail server is set: the customer’s email will be stored, not sent.",
            "Email sending is interrupted: the customer’s email is sent automatically later.",
          )}
          {fulfilment === null && order.may.cancel && (
            <> To cancel the whole order, choose “Cancel this order” instead.</>
          )}
        </p>
        {problem && Object.keys(fields).length === 0 && <RefundProblem problem={problem} />}
      </FormFields>
    </ConfirmDialog>
  );
}

/** Shows why a refund failed. Without a response the outcome is unknown, but a retry repeats the same refund (`useRefund`). */
function RefundProblem({ problem }: { problem: ApiProblem }) {
  const { status, message } = problem;
  const isUnknown = status === 0 || status >= 500;
  const banner = useRef<HTMLDivElement>(null);
  // Without the focus, the dialog's buttons might cover the banner.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated problem takes the focus again
  useEffect(() => banner.current?.focus(), [problem]);
  return (
    <Banner
      ref={banner}
      tabIndex={-1}
      className="scroll-my-24"
      title={
        isUnknown ? "The shop does not know whether the refund succeeded." : "The order was not refunded."
      }
    >
      {message}
      {isUnknown && " Trying again is safe: nothing is refunded twice."}
    </Banner>
  );
}

type RefundRequest = { reason: string | null; returnId: string | null } & (
  | { amount: number; restock: { productId: number; quantity: number }[] | null }
  | { items: { productId: number; quantity: number; restock: boolean }[]; shipping: number }
);

/**
 * Refunds an order. A call repeated because its response was lost is the same refund: it keeps its key until a response
 * arrives, the input changes, or the order shows a new refund. Use the hook in a component that outlives the dialog.
 */
export function useRefund({ id: orderId, refundableCents }: Pick<AdminOrder, "id" | "refundableCents">) {
  const { busy, problem, fields, perform } = useAdminAction("POST /api/admin/orders/:id/refund", {
    failure: null,
  });
  const mailNotice = useMailNotice();
  const unconfirmedRefund = useRef<{ request: string; key: string } | null>(null);

  async function refund(body: RefundRequest): Promise<boolean> {
    const request = JSON.stringify([refundableCents, body]);
    if (unconfirmedRefund.current?.request !== request)
      unconfirmedRefund.current = { request, key: randomUuid() };
    const headers = { "Idempotency-Key": unconfirmedRefund.current.key };
    const response = await perform(
      () =>
        callApi("POST /api/admin/orders/:id/refund", {
          params: { id: orderId },
          body,
          headers,
          timeoutMs: 60_000,
        }),
      {
        success: ({ data }) =>
          data.refund.status === "succeeded"
            ? {
                title: `Refunded ${formatCents(data.refund.amount)}`,
                description: mailNotice("The customer gets an email."),
              }
            : {
                title: `Refund of ${formatCents(data.refund.amount)} is on its way`,
                description:
                  "The payment provider has not confirmed it yet. The order will show when it has.",
              },
      },
    );
    // A definite response ends this refund: the next one is a new refund, even for the same amount.
    const { status } = response.ok ? { status: 200 } : response.problem;
    if (status > 0 && status < 500) unconfirmedRefund.current = null;
    return response.ok;
  }

  return { busy, problem, fields, refund };
}
