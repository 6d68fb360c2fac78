import { type FormEvent, type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { addressLines } from "../../../domain/address/address-format.ts";
import type { InvoiceRow } from "../../../domain/books/invoice.ts";
import {
  creditedCents,
  type Order,
  paidHow,
  payableCents,
  refundedCents,
} from "../../../domain/orders/order.ts";
import { isCounted } from "../../../domain/orders/refund.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Button } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Field } from "../../ui/field.tsx";
import { Time } from "../../ui/time.tsx";
import { useForm } from "../../ui/use-form.ts";
import { type ApiProblem, callApi } from "../api.ts";
import { TotalsList, TotalsRow } from "../checkout/totals-list.tsx";
import { GiftNote } from "./gift-note.tsx";

/** Printed pages have no header, so the receipt names the shop. */
export function PrintedHead({
  order: { paidAt, createdAt },
  brandName,
  seller,
}: {
  order: Order;
  brandName: string;
  seller: { legalName: string | null; address: string | null };
}) {
  return (
    <div className="hidden justify-between gap-8 border-b border-line py-4 print:flex">
      <div>
        <p className="type-display text-h3">
          {brandName}
          {paidAt && (
            <>
              {" "}
              receipt, paid <Time iso={paidAt} />
            </>
          )}
        </p>
        <p className="text-small">
          Placed <Time iso={createdAt} />
        </p>
      </div>
      <p className="text-right text-small whitespace-pre-line">
        {[seller.legalName, seller.address].filter(Boolean).join("\n")}
      </p>
    </div>
  );
}

/** The order's totals, its refunds and what remains paid, below its items. */
export function OrderTotals({ order }: { order: Order }) {
  const { totals } = order;
  const creditCents = creditedCents(order);
  const refunds = order.refunds.filter(({ isCredit }) => !isCredit);
  const countedRefunds = refunds.filter(isCounted);
  const otherRefunds = refunds.filter((refund) => !countedRefunds.includes(refund));
  const refundRows = countedRefunds.map(({ amount: cents, status, createdAt }) => ({
    // The timeline shows the date of a single refund.
    name:
      status === "pending"
        ? "Refund on its way"
        : countedRefunds.length === 1
          ? "Refunded"
          : refundedOn(createdAt),
    cents,
  }));
  return (
    <div className="pt-5 sm:ml-auto sm:w-88">
      <TotalsList
        totals={totals}
        discountCode={order.discountCode}
        deductions={[
          { name: "Paid", text: order.paidWith && paidHow(order) },
          { name: "Offset by removed items", cents: totals.exchanged ?? 0 },
          { name: "Exchanged", cents: creditCents },
          ...refundRows,
          { name: "Returned by your bank", cents: totals.chargedBack },
        ]}
      >
        {/* Not shown with exchanges: the value of the exchanged items remains paid, but for another order. */}
        {countedRefunds.length > 0 && creditCents === 0 && (
          <TotalsRow
            name="Paid after refunds"
            value={formatCents(Math.max(0, payableCents(totals) - refundedCents(order) - totals.chargedBack))}
            className="border-t border-sand pt-3 font-medium"
          />
        )}
      </TotalsList>
      {otherRefunds.length > 0 && (
        <>
          <h3 className="mt-6 font-sans text-small font-semibold tracking-normal">Refunds</h3>
          <ul className="mt-2 grid gap-3 text-ui">
            {otherRefunds.map(({ id, amount, status, createdAt }) => (
              <li key={id} className="flex justify-between gap-4">
                <span>
                  <Time iso={createdAt} />
                  <span className="block text-small text-ink-muted">
                    {status === "failed" ? "Didn’t go through" : "A payment that came too late"}
                  </span>
                </span>
                <span className="tabular-nums">{formatCents(amount)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function refundedOn(iso: string): ReactNode {
  return (
    <>
      Refunded <Time iso={iso} short />
    </>
  );
}

/** Shipping address and gift note of the order. */
export function OrderAddress({ order }: { order: Order }) {
  return (
    <section aria-labelledby="address">
      <h2 id="address" className="text-h3">
        Shipping Address
      </h2>
      <address className="mt-3 wrap-anywhere text-ink-muted not-italic">
        {addressLines(order).map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </address>
      <p className="mt-3 text-small wrap-anywhere text-ink-muted">
        {order.shippingOption.name} shipping. Contact: {order.email}
        {order.phone && `, ${order.phone}`}
      </p>
      {order.gift && (
        <div className="mt-4 border-t border-line pt-4">
          <h3 className="font-sans text-ui font-semibold tracking-normal">A gift</h3>
          <p className="mt-1 text-small text-ink-muted">The slip in the package shows no prices.</p>
          <GiftNote gift={order.gift} className="mt-3" />
        </div>
      )}
    </section>
  );
}

/** The buyer's invoices and credit notes of the order and its edits, or a form to request the first invoice. */
export function OrderInvoices({
  orderId,
  token,
  invoices,
  canRequest,
}: {
  orderId: string;
  token: string | null;
  invoices: readonly InvoiceRow[];
  /** Whether the shop issues invoices. */
  canRequest: boolean;
}) {
  const hasInvoice = invoices.some(({ kind, changeId }) => kind === "invoice" && changeId === null);
  if (invoices.length === 0 && !canRequest) return null;
  const query = token === null ? "" : `?token=${encodeURIComponent(token)}`;
  return (
    <>
      <ul>
        {invoices.map(({ id, kind, label, changeId }) => (
          <li key={id}>
            <a
              href={`/api/orders/${orderId}/invoices/${id}/pdf${query}`}
              download
              className="link inline-flex min-h-11 items-center"
            >
              {kind === "invoice" ? "Invoice" : "Credit note"} {label} (PDF)
            </a>
            {changeId !== null && (
              <span className="-mt-2 block pb-2 text-small text-ink-muted">For the items added later</span>
            )}
          </li>
        ))}
      </ul>
      {!hasInvoice && canRequest && (
        <details className="noscript:hidden">
          <summary className="inline-flex min-h-11 items-center link">Get an invoice</summary>
          <InvoiceRequest orderId={orderId} token={token} />
        </details>
      )}
    </>
  );
}

function InvoiceRequest({ orderId, token }: { orderId: string; token: string | null }) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const form = useForm({ company: "", vatId: "" }, { problems: problem?.fields ?? {} });
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    const response = await callApi("POST /api/orders/:id/invoices", {
      params: { id: orderId },
      body: { ...form.values, token },
    });
    setProblem(response.ok ? null : response.problem);
    if (response.ok) await revalidate();
    setBusy(false);
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid max-w-80 gap-3 pb-2" noValidate>
      {problem && Object.keys(problem.fields).length === 0 && (
        <Banner title="No invoice was created.">{problem.message}</Banner>
      )}
      <Field
        {...form.field("company")}
        label="Company"
        name="invoice-company"
        optional
        maxLength={120}
        autoComplete="organization"
      />
      <Field {...form.field("vatId")} label="VAT ID" name="invoice-vat-id" optional maxLength={30} />
      <Button type="submit" variant="secondary" size="small" busy={busy} busyText="Making it...">
        Get invoice
      </Button>
    </form>
  );
}
