import { buyerName } from "../../../domain/orders/first-name.ts";
import { type Order, payableCents, refundedCents } from "../../../domain/orders/order.ts";
import { bankSentence } from "../../../domain/orders/refund.ts";
import { returnsSentence, withdrawalDays } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { EmailField, Field, Options, Select, TextArea } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { callApi } from "../api.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";
import { AddressDialog, type DeliveryPolicies } from "./address-dialog.tsx";

type OrderDialogsProps = {
  dialogProps(action: "cancel" | "address" | "return" | "withdraw"): ActionDialogProps;
  returns: ShopSettings["returns"];
  policies: DeliveryPolicies;
};

/** The dialogs of all actions. They stay mounted, so that a closed dialog keeps its entries. */
export function OrderDialogs({ dialogProps, returns, policies }: OrderDialogsProps) {
  return (
    <>
      <CancelDialog {...dialogProps("cancel")} />
      <AddressDialog {...dialogProps("address")} policies={policies} />
      <ReturnDialog {...dialogProps("return")} returns={returns} />
      <WithdrawDialog {...dialogProps("withdraw")} />
    </>
  );
}

function CancelDialog({ order, onSend, ...dialog }: ActionDialogProps) {
  return (
    <ActionDialog
      {...dialog}
      onSubmit={() =>
        onSend((token) =>
          callApi("POST /api/orders/:id/cancel", { params: { id: order.id }, body: { token } }),
        )
      }
      title={`Cancel order #${order.number}?`}
      description={cancellationConsequences(order)}
      cancelLabel="Keep order"
      confirmLabel="Cancel order"
      busyText="Cancelling..."
      danger
    />
  );
}

function cancellationConsequences(order: Order): string {
  if (order.status === "pending" && order.exchangeOf !== null)
    return `This ends the exchange for units of order #${order.exchangeOf.of.number}. Nothing is charged. This can’t be undone.`;
  if (order.status === "pending") return "We stop the payment, and nothing is charged. This can’t be undone.";
  const refundableCents = payableCents(order.totals) - refundedCents(order);
  const money =
    refundableCents > 0
      ? `${formatCents(refundableCents)} goes back to the card or account you paid with. ${bankSentence}`
      : "What you paid is already on its way back to you.";
  return `It won’t ship. ${money} This can’t be undone.`;
}

/** Reasons to choose from; the last one has to be explained. */
const returnReasons = [
  "It arrived damaged",
  "It isn’t what I ordered",
  "It doesn’t suit my hair or skin",
  "I no longer need it",
  "Another reason",
];

/** Asks for the reason of a return and explains its steps. The entries stay when the dialog is closed. */
function ReturnDialog({
  order,
  returns,
  onSend,
  ...dialog
}: ActionDialogProps & { returns: ShopSettings["returns"] }) {
  const form = useForm(
    { reason: "", details: "" },
    { check: missingReason, problems: dialog.action.problem?.fields ?? {} },
  );
  const submit = () => {
    if (!form.submit()) {
      const [emptyField] = Object.keys(missingReason(form.values));
      return document.getElementById(`return-${emptyField}`)?.focus();
    }
    const details = form.values.details.trim();
    const reason = details === "" ? form.values.reason : `${form.values.reason}: ${details}`;
    onSend((token) =>
      callApi("POST /api/orders/:id/return", { params: { id: order.id }, body: { reason, token } }),
    );
  };
  const mustExplain = form.values.reason === returnReasons.at(-1);
  return (
    <ActionDialog
      {...dialog}
      onSubmit={submit}
      title="Request a return"
      description={`Order #${order.number}. ${returnsSentence(returns)}`}
      cancelLabel="Not now"
      confirmLabel="Send request"
      busyText="Sending..."
    >
      <ol className="grid list-decimal gap-1 pl-5 text-ui wrap-anywhere">
        <li>You tell us why.</li>
        <li>We answer by email to {order.email}, with the address to send the package to.</li>
        <li>Once it is back with us, we refund it.</li>
      </ol>
      <p className="text-small text-ink-muted">Please wait for our answer before you send anything.</p>
      <Select {...form.field("reason")} id="return-reason" label="Why are you sending it back?" required>
        <option value="">Choose a reason</option>
        <Options of={returnReasons} />
      </Select>
      <TextArea
        {...form.field("details")}
        id="return-details"
        label="Anything else we should know?"
        required={mustExplain}
        optional={!mustExplain}
        maxLength={900}
      />
    </ActionDialog>
  );
}

function missingReason({ reason, details }: { reason: string; details: string }): Record<string, string> {
  if (reason === "") return { reason: "Please tell us why" };
  const isExplained = reason !== returnReasons.at(-1) || details.trim() !== "";
  return isExplained ? {} : { details: "Please tell us why" };
}

/** The statement of withdrawal that EU law requires: name, order and e-mail address for the acknowledgement. */
function WithdrawDialog({ order, onSend, ...dialog }: ActionDialogProps) {
  const form = useForm(
    { name: buyerName(order), email: order.email },
    { check: missingEntries, problems: dialog.action.problem?.fields ?? {} },
  );
  const submit = () => {
    if (!form.submit()) {
      const [emptyField] = Object.keys(missingEntries(form.values));
      return document.getElementById(`withdraw-${emptyField}`)?.focus();
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
          : `Send the order back within ${withdrawalDays} days and we’ll refund what you paid, standard shipping included. We’ll email you the address.`
      }
      cancelLabel="Keep order"
      confirmLabel="Confirm withdrawal"
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
function missingEntries({ name, email }: { name: string; email: string }): Record<string, string> {
  if (name.trim() === "") return { name: "Please enter your name" };
  return email.trim() === "" ? { email: "Enter your email address" } : {};
}
