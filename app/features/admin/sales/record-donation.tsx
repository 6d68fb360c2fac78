import HandHeart from "lucide-react/icons/hand-heart";
import { useRevalidator } from "react-router";
import { type DonationTotals, maxDonationNoteLength } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { formatDate } from "../overview/period-text.ts";
import { May } from "../rights.ts";

type RecordDonationProps = {
  totals: DonationTotals;
  /** Today's date in the shop's time zone, the latest that can be chosen. */
  today: string;
};

/** A button that records a donation; no money is moved. */
export function RecordDonation(props: RecordDonationProps) {
  return (
    <May call="POST /api/admin/donations">
      <DialogButton variant="primary" dialog={(onClose) => <RecordDialog {...props} onClose={onClose} />}>
        <Icon glyph={HandHeart} size="small" /> Record a donation
      </DialogButton>
    </May>
  );
}

/** The dialog; it stays open with the input until the donation is recorded. */
function RecordDialog({ totals, today, onClose }: RecordDonationProps & { onClose: () => void }) {
  // Every attempt sends the same id, so that the donation is recorded once.
  const form = useAdminForm("POST /api/admin/donations", () => ({
    id: randomUuid(),
    amountCents: null as number | null,
    sentOn: today,
    note: "",
  }));
  const { amountCents, sentOn } = form.values;
  const { revalidate } = useRevalidator();
  const excessCents = Math.max(0, (amountCents ?? 0) - totals.toSendCents) || 0;
  const isComplete = amountCents !== null && amountCents > 0 && sentOn !== "";

  async function save() {
    if (amountCents === null) return;
    const response = await form.run({
      body: { ...form.values, amountCents },
      success: {
        title: "Donation recorded",
        description: `${formatCents(amountCents)}, sent on ${formatDate(sentOn, true)}.`,
      },
    });
    // An earlier attempt has been recorded: the list behind this dialog shows its donation.
    if (!response.ok && response.problem.error === "invalid_state") await revalidate();
    return response;
  }

  return (
    <FormDialog
      title="Record a donation"
      description="For your own records. It moves no money, and shoppers do not see it."
      form={form}
      submitLabel={
        excessCents > 0 && amountCents !== null
          ? `Record ${formatCents(amountCents)} anyway`
          : "Record donation"
      }
      busyText="Recording..."
      failure="The donation was not recorded."
      isReady={isComplete}
      send={save}
      onClose={onClose}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <MoneyField
          {...form.field("amountCents")}
          label="Amount (USD)"
          hint={
            excessCents > 0 ? (
              <span className="font-medium text-warning">
                That is {formatCents(excessCents)} more than the {formatCents(totals.toSendCents)} still to be
                sent. Please check it.
              </span>
            ) : (
              `Still to send: ${formatCents(totals.toSendCents)}`
            )
          }
        />
        <Field {...form.field("sentOn")} label="Date sent" type="date" max={today} />
      </div>
      <Field
        {...form.field("note")}
        label="Note"
        optional
        autoComplete="off"
        maxLength={maxDonationNoteLength}
        hint="Recipient or receipt number. Leave out customers’ names."
      />
    </FormDialog>
  );
}
