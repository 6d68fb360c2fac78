import { buyerName } from "../../../domain/orders/first-name.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import { EmailField } from "../../ui/email-field.tsx";
import { Field } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";

/** The statement of withdrawal that EU law requires: name, order and e-mail address for the acknowledgement. */
export function WithdrawDialog({ order, onSend, ...dialog }: ActionDialogProps) {
  const form = useForm(
    { name: buyerName(order), email: order.email },
    { check: missingIn, problems: dialog.action.problem?.fields ?? {} },
  );
  const submit = () => {
    if (!form.submit()) {
      const [empty] = Object.keys(missingIn(form.values));
      return document.getElementById(`withdraw-${empty}`)?.focus();
    }
    const body = { ...form.values, confirm: true } as const;
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
        I, <b className="font-semibold wrap-anywhere">{form.values.name}</b>, withdraw from the contract for
        order #{order.number} ({order.items.map((item) => `${item.quantity} × ${item.name}`).join(", ")}).
      </p>
      <Field
        {...form.field("name")}
        id="withdraw-name"
        label="Your name"
        autoComplete="name"
        required
        maxLength={120}
      />
      <EmailField
        {...form.field("email")}
        id="withdraw-email"
        required
        maxLength={254}
        hint="We acknowledge your withdrawal there at once."
      />
    </ActionDialog>
  );
}

/** Reports one missing field at a time. */
function missingIn({ name, email }: { name: string; email: string }): Record<string, string> {
  if (name.trim() === "") return { name: "Please enter your name" };
  return email.trim() === "" ? { email: "Enter your email address" } : {};
}
