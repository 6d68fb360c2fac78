import { useState } from "react";
import { useNavigate } from "react-router";
import type { Customer } from "../../../../domain/customers/customer.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-form.ts";

type Kept = { number: number; because: string }[];

/** Asks for the address before everything about a customer is deleted, and says which orders have to wait. */
export function EraseDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const navigate = useNavigate();
  const [kept, setKept] = useState<Kept | null>(null);
  const form = useAdminForm("POST /api/admin/customers/:id/erase", { email: "" });
  const { email: typed } = form.values;
  const { busy, problem, fields, run } = form;
  const leave = () => void navigate("/admin/customers");
  if (kept !== null) {
    return (
      <Dialog
        open
        onOpenChange={leave}
        title="The data is being deleted"
        description={
          kept.length === 0
            ? "Everything goes within a minute. The customer gets one last email that says so."
            : "Everything goes within a minute, except what these orders still need. The rest follows by itself as soon as it can, and the customer is told by email."
        }
        actions={
          <Button size="small" onClick={leave}>
            All customers
          </Button>
        }
      >
        {kept.length > 0 && (
          <ul className="mt-4 grid gap-1 text-ui">
            {kept.map(({ number, because }) => (
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
      open
      onClose={onClose}
      title={`Delete what is known about ${customer.name || customer.email}?`}
      description={`Name, addresses, messages, reviews, notes and emails of ${customer.emails.join(", ")} are deleted for good. Orders keep their figures for the tax office.`}
      confirmLabel="Delete for good"
      busyText="Deleting..."
      form={{ busy: busy, problem: fields.email ? null : problem }}
      disabled={typed.trim().toLowerCase() !== customer.email}
      send={async () => {
        const answer = await run({ params: { id: String(customer.id) }, body: { email: typed } });
        if (answer.ok) setKept(answer.body.data.kept);
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
