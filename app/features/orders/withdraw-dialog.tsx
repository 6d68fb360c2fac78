import { useState } from "react";
import { buyerName } from "../../../domain/orders/first-name.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import { EmailField } from "../../ui/email-field.tsx";
import { Field } from "../../ui/field.tsx";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";

/** The statement of withdrawal that the law of the EU asks for: who, from which order, acknowledged where. */
export function WithdrawDialog({ order, onSend, ...dialog }: ActionDialogProps) {
  const [name, setName] = useState(buyerName(order));
  const [email, setEmail] = useState(order.email);
  const [missing, setMissing] = useState<"name" | "email" | null>(null);
  const { fields = {} } = dialog.action.problem ?? {};
  const submit = () => {
    const empty = name.trim() === "" ? "name" : email.trim() === "" ? "email" : null;
    setMissing(empty);
    if (empty) return document.getElementById(`withdraw-${empty}`)?.focus();
    const body = { name, email, confirm: true } as const;
    onSend((token) =>
      callApi("POST /api/orders/:id/withdraw", { params: { id: order.id }, body: { ...body, token } }),
    );
  };
  return (
    <ActionDialog
      {...dialog}
      onSubmit={submit}
      title="Withdraw from contract"
      description={
        order.fulfilment === null
          ? "The order has not been shipped: it is cancelled, and you get back what you paid."
          : `You send the goods back within ${withdrawalDays} days, and get back what you paid, our cheapest delivery included. We’ll email you the address.`
      }
      keep="Keep order"
      confirm="Confirm withdrawal"
      busyText="Sending..."
    >
      <p>
        I, <b className="font-semibold wrap-anywhere">{name}</b>, withdraw from the contract for order #
        {order.number} ({order.items.map((item) => `${item.quantity} × ${item.name}`).join(", ")}).
      </p>
      <Field
        name="name"
        id="withdraw-name"
        label="Your name"
        autoComplete="name"
        required
        maxLength={120}
        value={name}
        error={missing === "name" ? "Please enter your name" : fields.name}
        onChange={(event) => setName(event.target.value)}
      />
      <EmailField
        name="email"
        id="withdraw-email"
        required
        maxLength={254}
        hint="We acknowledge your withdrawal there at once."
        value={email}
        error={missing === "email" ? "Enter your email address" : fields.email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </ActionDialog>
  );
}
