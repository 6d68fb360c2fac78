import { useState } from "react";
import type { InvoiceRow } from "../../../../domain/books/invoice.ts";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Field } from "../../../ui/field.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { OrderCard } from "../orders/order/order-card.tsx";
import { useMayCall } from "../rights.ts";

/** The invoice of an order and the credit notes of its refunds, to download, issue or declare void. */
export function OrderInvoices({ order, invoices }: { order: AdminOrder; invoices: readonly InvoiceRow[] }) {
  const [invoiceToVoid, setInvoiceToVoid] = useState<InvoiceRow | null>(null);
  const hasInvoice = invoices.some(
    ({ kind, changeId, voidedAt }) => kind === "invoice" && changeId === null && voidedAt === null,
  );
  const mayVoid = useMayCall("POST /api/admin/invoices/:id/void");
  const mayIssue = useMayCall("POST /api/admin/orders/:id/invoices");
  if (order.paidAt === null || (invoices.length === 0 && !mayIssue)) return null;
  return (
    <OrderCard title="Invoices">
      {invoices.length > 0 && (
        <ul className="-mt-1.5 divide-y divide-line">
          {invoices.map((invoice) => (
            <li
              key={invoice.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 pb-1 text-ui last:-mb-2.5"
            >
              <span className="wrap-anywhere">
                <a
                  href={`/api/admin/invoices/${invoice.id}/pdf`}
                  download
                  className="link inline-flex min-h-11 items-center"
                >
                  {invoice.label}
                </a>{" "}
                {invoice.voidedAt && <Badge tone="cream">Void</Badge>}
              </span>
              <span className="text-right tabular-nums">{formatCents(invoice.totalCents)}</span>
              <span className="-mt-2 self-start text-small wrap-anywhere text-ink-muted">
                {invoice.kind === "credit_note"
                  ? "Credit note"
                  : invoice.changeId === null
                    ? "Invoice"
                    : "Invoice of added items"}
                , <ShortDay iso={invoice.issuedAt} />, {invoice.buyer}
              </span>
              {invoice.voidedAt === null && mayVoid && (
                <TextButton
                  className="-mt-5 -mb-3 self-start justify-self-end"
                  onClick={() => setInvoiceToVoid(invoice)}
                  aria-label={`Declare ${invoice.label} void`}
                >
                  Void
                </TextButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {!hasInvoice && mayIssue && (
        <DialogButton className="mt-3" dialog={(onClose) => <IssueDialog order={order} onClose={onClose} />}>
          Issue invoice
        </DialogButton>
      )}
      {invoiceToVoid && <VoidDialog invoice={invoiceToVoid} onClose={() => setInvoiceToVoid(null)} />}
    </OrderCard>
  );
}

function IssueDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/invoices",
    { company: "", vatId: "" },
    { success: ({ data }) => ({ title: `${data.label} issued` }) },
  );
  const { company, vatId } = form.values;
  return (
    <FormDialog
      title={`Invoice for order #${order.number}`}
      description="It gets the next number and can no longer be changed."
      form={form}
      submitLabel="Issue invoice"
      busyText="Issuing..."
      failure="The invoice was not issued."
      send={() => form.run({ params: { id: order.id }, body: { company, vatId } })}
      onClose={onClose}
    >
      <Field {...form.field("company")} label="Company" optional maxLength={120} />
      <Field {...form.field("vatId")} label="VAT ID" optional maxLength={30} />
    </FormDialog>
  );
}

function VoidDialog({ invoice, onClose }: { invoice: InvoiceRow; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/invoices/:id/void",
    { reason: "" },
    { success: { title: `${invoice.label} is void` } },
  );
  const { reason } = form.values;
  return (
    <FormDialog
      title={`Declare ${invoice.label} void?`}
      description={`${formatCents(invoice.totalCents)}, order #${invoice.orderNumber}, ${invoice.buyer}. Its number is not used again, and its PDF says that it is void. This cannot be undone.`}
      form={form}
      submitLabel="Declare void"
      failure="It was not declared void."
      isReady={reason.trim() !== ""}
      send={() => form.run({ params: { id: invoice.id }, body: { reason } })}
      onClose={onClose}
    >
      <Field {...form.field("reason")} label="Reason" maxLength={200} />
    </FormDialog>
  );
}
