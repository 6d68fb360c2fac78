import { type FormEvent, useState } from "react";
import { useRevalidator } from "react-router";
import type { InvoiceRow } from "../../../domain/books/invoice.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Field } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { type ApiProblem, callApi } from "../api.ts";

/** The buyer's invoices of the order and its edits, and credit notes; a form that requests the first invoice. */
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
    <Panel className="print:hidden">
      <h2 className="text-h3">Invoice</h2>
      <ul className="mt-2">
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
      {!hasInvoice && canRequest && <InvoiceRequest orderId={orderId} token={token} />}
    </Panel>
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
    const answer = await callApi("POST /api/orders/:id/invoices", {
      params: { id: orderId },
      body: { ...form.values, token },
    });
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) await revalidate();
    setBusy(false);
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-3 noscript:hidden" noValidate>
      {problem && !problem.fields && <Banner title="No invoice was made.">{problem.message}</Banner>}
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
