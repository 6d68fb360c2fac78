import Download from "lucide-react/icons/download";
import Merge from "lucide-react/icons/merge";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Customer, CustomerRow } from "../../../../domain/customers/customer.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { saveFile } from "../kit/download.ts";
import { Loading } from "../kit/loading.tsx";
import { Menu } from "../kit/menu.tsx";
import { useAdminAction, useAdminForm } from "../kit/use-admin-action.ts";
import { useMayCall } from "../rights.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";

/** Actions on a whole customer record. Only the owner may download or erase the data. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const [openDialog, setOpenDialog] = useState<"merge" | "erase" | null>(null);
  const mayErase = useMayCall("POST /api/admin/customers/:id/erase");
  const dataDownload = useAdminAction("GET /api/admin/customers/:id/data", {
    failure: "The data was not downloaded",
    reloads: false,
  });

  async function download() {
    const response = await dataDownload.run({ params: { id: String(customer.id) } });
    if (!response.ok) return;
    const content = new Blob([JSON.stringify(response.body.data, null, 2)], { type: "application/json" });
    saveFile(content, `customer-${customer.id}.json`);
  }
  return (
    <>
      <Menu
        label="More actions"
        entries={[
          { label: "Merge with another", glyph: Merge, onSelect: () => setOpenDialog("merge") },
          ...(mayErase
            ? [
                {
                  label: "Download the data",
                  glyph: Download,
                  busy: dataDownload.busy,
                  onSelect: () => void download(),
                },
                {
                  label: "Delete the data",
                  glyph: Trash2,
                  isDanger: true,
                  onSelect: () => setOpenDialog("erase"),
                },
              ]
            : []),
        ]}
      />
      {openDialog === "merge" && <MergeDialog customer={customer} onClose={() => setOpenDialog(null)} />}
      {openDialog === "erase" && <EraseDialog customer={customer} onClose={() => setOpenDialog(null)} />}
    </>
  );
}

const debounceMs = 250;
const maxResults = "6";
const maxSearchLength = 100;

/** Finds another customer, shows both, and merges the other into this one. */
function MergeDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [q, setQ] = useState(customer.name.slice(0, maxSearchLength));
  const searchText = q.trim();
  const { body, problem: searchProblem } = useApiResult(
    searchText || null,
    (q) => withUnlock(() => callApi("GET /api/admin/customers", { query: { q, limit: maxResults } })),
    debounceMs,
  );
  const otherCustomers =
    searchText && !searchProblem ? body?.data.filter(({ id }) => id !== customer.id) : undefined;
  const [otherCustomer, setOtherCustomer] = useState<CustomerRow | null>(null);
  const { busy, problem, run } = useAdminAction("POST /api/admin/customers/:id/merge", {
    success: { title: "Customers merged", description: "You can undo it on this page." },
    failure: null,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Merge with another customer"
      description={
        otherCustomer
          ? `${otherCustomer.name || otherCustomer.email} (${otherCustomer.email}) becomes part of ${customer.name || customer.email} (${customer.email}): ${ordersText(otherCustomer.orders)} and ${ordersText(customer.orders)} are ${ordersText(otherCustomer.orders + customer.orders)}.`
          : "For one person who ordered with two addresses. Their orders, notes and tags are combined here."
      }
      confirmLabel="Merge"
      busyText="Merging..."
      form={{ busy, problem }}
      danger={false}
      disabled={otherCustomer === null}
      send={() => {
        if (otherCustomer === null) return undefined;
        return run({ params: { id: String(customer.id) }, body: { otherId: otherCustomer.id } });
      }}
    >
      <Field
        className="mt-4"
        label="Find the other customer"
        name="merge-with"
        type="search"
        autoComplete="off"
        maxLength={maxSearchLength}
        value={q}
        onChange={(event) => {
          setOtherCustomer(null);
          setQ(event.target.value);
        }}
      />
      <fieldset className="mt-3">
        <legend className="sr-only">Customers found</legend>
        {searchText && searchProblem && (
          <p role="alert" className="text-small text-danger">
            {searchProblem.message}
          </p>
        )}
        {searchText && !otherCustomers && !searchProblem && <Loading className="h-31" />}
        {otherCustomers?.map((row) => (
          <label
            key={row.id}
            className="flex min-h-11 cursor-pointer items-center gap-3 border-t border-line py-2 first-of-type:border-t-0"
          >
            <input
              type="radio"
              name="other"
              checked={otherCustomer?.id === row.id}
              onChange={() => setOtherCustomer(row)}
              className="size-5 shrink-0 accent-forest-800"
            />
            <span className="min-w-0 text-ui wrap-anywhere">
              {row.name || row.email}
              <span className="block text-small text-ink-muted">
                {row.email} · {ordersText(row.orders)}, {formatCents(row.valueCents)}
              </span>
            </span>
          </label>
        ))}
        {otherCustomers?.length === 0 && (
          <p className="text-small text-ink-muted">No other customer found.</p>
        )}
      </fieldset>
    </ConfirmDialog>
  );
}

function ordersText(count: number): string {
  return count === 1 ? "1 order" : `${count} orders`;
}

type RemainingOrder = { number: number; because: string };

/** Asks for the e-mail address before a customer's data is deleted, and names the orders whose data is kept for now. */
function EraseDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const navigate = useNavigate();
  const [remainingOrders, setRemainingOrders] = useState<RemainingOrder[] | null>(null);
  const form = useAdminForm("POST /api/admin/customers/:id/erase", { email: "" });
  const { email } = form.values;
  const { busy, problem, fields, run } = form;
  const openCustomers = () => void navigate("/admin/customers");
  if (remainingOrders !== null) {
    return (
      <Dialog
        onClose={openCustomers}
        title="The data is being deleted"
        description={
          remainingOrders.length === 0
            ? "Everything is deleted within a minute. The customer gets one last email that confirms it."
            : "Everything is deleted within a minute, except the data that these orders still need. That data is deleted automatically as soon as possible, and the customer is notified by email."
        }
        actions={
          <PanelButton variant="primary" onClick={openCustomers}>
            All customers
          </PanelButton>
        }
      >
        {remainingOrders.length > 0 && (
          <ul className="mt-4 grid gap-1 text-ui">
            {remainingOrders.map(({ number, because }) => (
              <li key={number}>
                #{number}: {because}
              </li>
            ))}
          </ul>
        )}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete what is known about ${customer.name || customer.email}?`}
      description={`Name, addresses, messages, reviews, notes and emails of ${customer.emails.join(", ")} are deleted for good. Orders keep their figures for the tax office.`}
      confirmLabel="Delete for good"
      busyText="Deleting..."
      form={{ busy, problem: fields.email ? null : problem }}
      disabled={email.trim().toLowerCase() !== customer.email}
      send={async () => {
        const response = await run({ params: { id: String(customer.id) }, body: { email } });
        if (response.ok) setRemainingOrders(response.body.data.kept);
      }}
    >
      <Field
        {...form.field("email")}
        className="mt-4"
        label="Type the email address to confirm"
        name="confirm-email"
        type="email"
        autoComplete="off"
        hint={customer.email}
      />
    </ConfirmDialog>
  );
}
