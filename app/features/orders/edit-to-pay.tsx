import Lock from "lucide-react/icons/lock";
import { Form, useNavigation } from "react-router";
import { editRows, type OwnEdit } from "../../../domain/orders/order-edit.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Button } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { EditSums } from "../checkout/pay-edit.tsx";
import { OrderImage } from "./order-items.tsx";

/** An unpaid order edit: the items that it adds, the amount and the button to pay it. */
export function EditToPay({
  edit,
  problem,
}: {
  edit: OwnEdit;
  /** Why the payment could not be opened; null if no attempt has failed. */
  problem: string | null;
}) {
  const isBusy = useNavigation().formMethod === "POST";
  const { id, difference, expiresAt } = edit;
  const unit = singleUnit(edit);
  return (
    <section
      aria-labelledby="to-pay"
      className="mt-5 mb-[clamp(2.5rem,2rem+2vw,4rem)] grid gap-x-[clamp(3rem,6vw,6rem)] lg:grid-cols-[minmax(0,7fr)_minmax(20rem,4.4fr)] print:hidden"
    >
      <div className="grid max-w-144 content-start gap-5">
        <h2 id="to-pay" className="sr-only">
          Waiting for your payment
        </h2>
        {problem && <Banner title="The payment was not opened.">{problem}</Banner>}
        {unit ? <AddedUnit edit={edit} unit={unit} /> : <EditSums edit={edit} />}
        <Form method="post" className={unit ? "lg:w-64" : ""}>
          <input type="hidden" name="change" value={id} />
          <Button type="submit" block busy={isBusy} busyText="Opening the payment...">
            <Icon glyph={Lock} size="small" /> Pay {formatCents(difference)}
          </Button>
        </Form>
        <p className="text-small text-ink-muted">
          {expiresAt && (
            <>
              We’re holding it for you until <Time iso={expiresAt} />.{" "}
            </>
          )}
          It ships with the rest. If you don’t pay, your order stays as it was.
        </p>
      </div>
      {edit.added[0] && (
        <OrderImage url={edit.added[0].image} className="aspect-square h-auto w-full max-lg:hidden" />
      )}
    </section>
  );
}

type AddedLine = OwnEdit["added"][number];

/** The unit of an edit that adds a single unit and nothing else; null for other edits, whose sums must be shown. */
function singleUnit(edit: OwnEdit): AddedLine | null {
  const [line, ...others] = edit.added;
  const { removed, includedTax } = editRows(edit);
  const hasNothingElse =
    others.length + removed.length + includedTax === 0 && line?.total === edit.difference;
  return line?.quantity === 1 && hasNothingElse && !edit.note ? line : null;
}

/** A single added unit and its price in large type. */
function AddedUnit({ edit, unit }: { edit: OwnEdit; unit: AddedLine }) {
  return (
    <>
      <div>
        <p className="text-small text-ink-muted">Added to your order</p>
        <p className="type-display text-loud text-balance wrap-anywhere lining-nums">1 × {unit.name}</p>
      </div>
      <div className="flex items-center gap-5">
        <OrderImage url={unit.image} className="h-30 w-24 lg:hidden" />
        <dl>
          <dt className="text-small text-ink-muted">To pay</dt>
          <dd className="type-display text-loud lining-nums">{formatCents(edit.difference)}</dd>
        </dl>
      </div>
    </>
  );
}

export function EditOutcome({ status }: Pick<OwnEdit, "status">) {
  if (status === "waiting") return null;
  const { tone, title, text } = outcomeTexts[status];
  return (
    <Banner tone={tone} title={title} className="mt-5 print:hidden">
      {text}
    </Banner>
  );
}

const outcomeTexts = {
  processing: {
    tone: "info",
    title: "Your payment for the change is being processed.",
    text: "We’ll write to you as soon as it has gone through. You don’t need to pay again.",
  },
  applied: {
    tone: "success",
    title: "Your change is paid.",
    text: "It’s part of this order now.",
  },
  withdrawn: {
    tone: "info",
    title: "A change to this order has been withdrawn.",
    text: "It can no longer be paid. Please write to us if you still want it.",
  },
  expired: {
    tone: "info",
    title: "A change to this order wasn’t paid in time.",
    text: "It can no longer be paid. Please write to us if you still want it.",
  },
} as const;
