import Dices from "lucide-react/icons/dices";
import type { DiscountKind } from "../../../../domain/discounts/discount.ts";
import { formatCents, orderTotalMinCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Select } from "../../../ui/select.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { Switch } from "../kit/switch.tsx";
import { type DiscountDraft, randomCode } from "./discount-draft.ts";

const kinds: Record<DiscountKind, string> = {
  percent: "Percentage",
  amount: "Amount",
  free_shipping: "Free shipping",
};

/** Of the fields, by what the API calls them. */
export const labels = {
  code: "Code",
  percent: "Percent",
  value: "Percent or amount",
  minimumSubtotal: "Smallest order",
  startsAt: "From",
  endsAt: "Until",
  limitTotal: "Uses in all",
  limitPerCustomer: "Uses per customer",
};

export function DiscountFields({
  draft,
  problems,
  timeZone,
  isCodeFixed,
  onChange,
}: {
  draft: DiscountDraft;
  problems: Record<string, string>;
  timeZone: string;
  /** Orders name it. */
  isCodeFixed: boolean;
  onChange: (change: Partial<DiscountDraft>) => void;
}) {
  const text = (field: keyof DiscountDraft & keyof typeof labels) => ({
    name: field,
    label: labels[field],
    value: String(draft[field]),
    error: problems[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange({ [field]: event.target.value }),
  });
  return (
    <>
      <div className="grid gap-x-3 gap-y-2 sm:grid-cols-[1fr_auto]">
        <Field
          {...text("code")}
          required
          disabled={isCodeFixed}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          hint={
            isCodeFixed
              ? "Orders were placed with it, so it stays as it is."
              : "Letters, digits, hyphens; capitals and small letters are the same."
          }
          onChange={(event) => onChange({ code: event.target.value.toUpperCase() })}
        />
        {!isCodeFixed && (
          <Button
            variant="secondary"
            size="small"
            className="min-h-12.5 self-start sm:mt-[1.6rem]"
            onClick={() => onChange({ code: randomCode() })}
          >
            <Icon glyph={Dices} size="small" /> Generate
          </Button>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Takes off"
          name="kind"
          value={draft.kind}
          onChange={(event) => onChange({ kind: event.target.value as DiscountKind })}
          className={draft.kind === "free_shipping" ? "sm:col-span-2" : ""}
          hint={draft.kind === "free_shipping" && "Every way of shipping is free with it, the fastest too."}
        >
          {Object.entries(kinds).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </Select>
        {draft.kind === "percent" && (
          <Field
            {...text("percent")}
            name="value"
            type="number"
            inputMode="numeric"
            min={1}
            max={100}
            required
            error={problems.value}
          />
        )}
        {draft.kind === "amount" && (
          <MoneyField
            name="value"
            label="Amount *"
            value={draft.amountCents}
            error={problems.value}
            onChange={(amountCents) => onChange({ amountCents })}
          />
        )}
      </div>
      <MoneyField
        name="minimumSubtotal"
        label="Only for orders of at least"
        optional
        value={draft.minimumCents}
        error={problems.minimumSubtotal}
        hint={`What the goods cost, before discount and shipping. An order with less than ${formatCents(orderTotalMinCents)} left to pay cannot be placed: cards do not allow it.`}
        onChange={(minimumCents) => onChange({ minimumCents })}
      />
      <fieldset className="grid min-w-0 gap-4 sm:grid-cols-2">
        <legend className="mb-2 text-small font-semibold">When</legend>
        <Field {...text("startsAt")} type="datetime-local" optional className="min-w-0" />
        <Field {...text("endsAt")} type="datetime-local" optional className="min-w-0" />
        <p className="text-caption text-ink-muted sm:col-span-2">
          Times of the shop’s time zone, {timeZone.replaceAll("_", " ")}. Empty: from now on, and without end.
        </p>
      </fieldset>
      <fieldset className="grid min-w-0 gap-4 sm:grid-cols-2">
        <legend className="mb-2 text-small font-semibold">How often</legend>
        <Field {...text("limitTotal")} type="number" inputMode="numeric" min={1} optional />
        <Field {...text("limitPerCustomer")} type="number" inputMode="numeric" min={1} optional />
        <p className="text-caption text-ink-muted sm:col-span-2">
          An unpaid order holds its use until it expires. One that is cancelled, or paid back whole, before it
          ships gives it back. A customer is known by the email address.
        </p>
      </fieldset>
      <Switch
        name="active"
        label="Can be used"
        hint="Switched off, the code is refused at checkout. Orders placed with it stay as they are."
        checked={draft.active}
        onChange={(active) => onChange({ active })}
      />
    </>
  );
}
