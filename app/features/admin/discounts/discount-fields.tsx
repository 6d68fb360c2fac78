import Dices from "lucide-react/icons/dices";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { DiscountKind } from "../../../../domain/discounts/discount.ts";
import { formatCents, minOrderTotalCents } from "../../../../domain/shared/money.ts";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { useForm } from "../../../ui/use-form.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { Fold } from "../kit/fold.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { Switch } from "../kit/switch.tsx";
import { type DiscountDraft, randomCode } from "./discount-draft.ts";

const kinds: Record<DiscountKind, string> = {
  percent: "Percentage",
  amount: "Amount",
  free_shipping: "Free shipping",
};

/** Labels by the API's field names. */
export const labels = {
  automatic: "Applies automatically",
  code: "Code",
  productIds: "Products",
  percent: "Percent",
  value: "Percent or amount",
  minimumSubtotal: "Smallest order",
  minimumUnits: "Minimum number of items",
  startsAt: "From",
  endsAt: "Until",
  limitTotal: "Total uses",
  limitPerCustomer: "Uses per customer",
  firstOrderOnly: "First order only",
};

export function DiscountFields({
  form: { field, values, errors, set, submitCount },
  timeZone,
  products,
  isCodeFixed,
}: {
  form: ReturnType<typeof useForm<DiscountDraft>>;
  timeZone: string;
  /** Products to which the discount can be limited; each size is a product. */
  products: readonly { id: number; name: string }[];
  /** Whether orders have used the code, so that neither it nor `automatic` can be changed. */
  isCodeFixed: boolean;
}) {
  const conditions = conditionsText(values);
  const hasWrongCondition = conditionFields.some((name) => errors[name]);
  return (
    <>
      <Switch
        {...field("automatic")}
        id="automatic"
        label={labels.automatic}
        disabled={isCodeFixed}
        hint="Every cart that meets the conditions gets it, without a code."
      />
      <div className={`grid gap-x-3 gap-y-2 ${isCodeFixed ? "" : "grid-cols-[minmax(0,1fr)_auto]"}`}>
        {values.automatic ? (
          <Field
            {...field("code")}
            label="Name"
            required
            disabled={isCodeFixed}
            maxLength={40}
            autoComplete="off"
            className="col-span-full"
            hint={
              isCodeFixed
                ? "Orders have this name, so it cannot be changed."
                : "Shoppers read it in the cart and on receipts, such as “Discount (Three for less)”."
            }
          />
        ) : (
          <Field
            {...field("code", (text) => text.toUpperCase())}
            label={labels.code}
            required
            disabled={isCodeFixed}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            hint={
              isCodeFixed
                ? "Orders have used this code, so it cannot be changed."
                : "Letters, digits and hyphens. Upper and lower case are the same."
            }
          />
        )}
        {!isCodeFixed && !values.automatic && (
          <PanelButton
            className="mt-[1.6rem] min-h-12.5 self-start max-sm:px-3"
            onClick={() => set({ code: randomCode() })}
          >
            <Icon glyph={Dices} size="small" /> Generate
          </PanelButton>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          {...field("kind")}
          label="Discount type"
          className={values.kind === "free_shipping" ? "sm:col-span-2" : ""}
          hint={values.kind === "free_shipping" && "Makes every shipping option free, even the fastest."}
        >
          <Options of={Object.entries(kinds)} />
        </Select>
        {values.kind === "percent" && (
          <Field
            {...field("percent")}
            name="value"
            label={labels.percent}
            type="number"
            inputMode="numeric"
            min={1}
            max={100}
            required
            error={errors.value}
          />
        )}
        {values.kind === "amount" && (
          <MoneyField {...field("amountCents")} name="value" label="Amount *" error={errors.value} />
        )}
      </div>
      <ConditionsFold
        isInitiallyOpen={conditions !== ""}
        hasError={hasWrongCondition}
        submitCount={submitCount}
        state={conditions || "None"}
      >
        <div className="grid gap-6">
          {products.length > 1 && (
            <fieldset className="grid min-w-0">
              <legend className="mb-1 text-small font-semibold">
                Only on some products <span className="font-normal text-ink-muted">(optional)</span>
              </legend>
              <div className="max-h-48 overflow-y-auto rounded-sm border border-line px-3.5">
                {products.map(({ id, name }, index) => (
                  <label key={id} className="grid min-h-11 grid-cols-[auto_1fr] items-center gap-3 text-ui">
                    <input
                      id={index === 0 ? "productIds" : undefined}
                      type="checkbox"
                      checked={values.productIds.includes(id)}
                      onChange={({ target }) =>
                        set({
                          productIds: target.checked
                            ? [...values.productIds, id]
                            : values.productIds.filter((productId) => productId !== id),
                        })
                      }
                      className="size-5 accent-forest-800"
                    />
                    <span className="min-w-0 wrap-anywhere">{name}</span>
                  </label>
                ))}
              </div>
              <p className="mt-1 text-caption text-ink-muted">
                If none is ticked, for all products. Otherwise only these are discounted and counted as items
                below.
              </p>
            </fieldset>
          )}
          <Field
            {...field("minimumUnits")}
            label={labels.minimumUnits}
            type="number"
            inputMode="numeric"
            min={1}
            optional
            hint="Enter 3 for three or more, the same or mixed."
          />
          <MoneyField
            {...field("minimumCents")}
            name="minimumSubtotal"
            label="Only for orders of at least"
            optional
            error={errors.minimumSubtotal}
            hint={`Price of the goods before discount and shipping. What is left to pay after the discount must be at least ${formatCents(minOrderTotalCents)}, the least that a card can be charged.`}
          />
          <fieldset className="grid min-w-0 gap-4">
            <legend className="mb-2 text-small font-semibold">When</legend>
            {(["startsAt", "endsAt"] as const).map((name) => (
              <Field
                key={name}
                {...field(name)}
                label={labels[name]}
                type="datetime-local"
                optional
                className="min-w-0"
              />
            ))}
            <p className="text-caption text-ink-muted">
              In the shop’s time zone, {timeZone.replaceAll("_", " ")}. If empty, it is valid from now on and
              does not end.
            </p>
          </fieldset>
          <fieldset className="grid min-w-0 gap-4 sm:grid-cols-2">
            <legend className="mb-2 text-small font-semibold">How often</legend>
            {(["limitTotal", "limitPerCustomer"] as const).map((name) => (
              <Field
                key={name}
                {...field(name)}
                label={labels[name]}
                type="number"
                inputMode="numeric"
                min={1}
                optional
              />
            ))}
            <p className="text-caption text-ink-muted sm:col-span-2">
              An unpaid order counts as a use until it expires. An order that is cancelled or fully refunded
              before it ships no longer counts. Customers are recognized by their email address.
            </p>
          </fieldset>
          <Switch
            {...field("firstOrderOnly")}
            label={labels.firstOrderOnly}
            hint="Refused if the email address has paid for an order before, or placed one with another code for first orders."
          />
        </div>
      </ConditionsFold>
      <Switch
        {...field("active")}
        label="Can be used"
        hint={
          values.automatic
            ? "If switched off, carts no longer get it. Orders placed with it stay as they are."
            : "If switched off, the code is refused at checkout. Orders placed with it stay as they are."
        }
      />
    </>
  );
}

function ConditionsFold({
  isInitiallyOpen,
  hasError,
  submitCount,
  state,
  children,
}: {
  isInitiallyOpen: boolean;
  hasError: boolean;
  submitCount: number;
  state: string;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen] = useState(isInitiallyOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each submit with a wrong condition opens it, even after the user has closed it
  useEffect(() => {
    const details = box.current?.querySelector("details");
    if (hasError && details) details.open = true;
  }, [hasError, submitCount]);
  return (
    <div ref={box} className="rounded-sm border border-line">
      <Fold level="h3" title="Conditions" state={state} hasError={hasError} isOpen={isOpen}>
        {children}
      </Fold>
    </div>
  );
}

/** The API's names of the conditions. */
const conditionFields = [
  "productIds",
  "minimumUnits",
  "minimumSubtotal",
  "startsAt",
  "endsAt",
  "limitTotal",
  "limitPerCustomer",
  "firstOrderOnly",
] as const;

/** Such as "3 items or more · From $50.00 · Dates"; empty without conditions. */
function conditionsText(draft: DiscountDraft): string {
  const { productIds, minimumUnits, minimumCents, startsAt, endsAt } = draft;
  const parts = [
    productIds.length > 0 && (productIds.length === 1 ? "One product" : `${productIds.length} products`),
    minimumUnits && `${minimumUnits} items or more`,
    minimumCents !== null && minimumCents > 0 && `From ${formatCents(minimumCents)}`,
    (startsAt || endsAt) && "Dates",
    (draft.limitTotal || draft.limitPerCustomer) && "Limited uses",
    draft.firstOrderOnly && "First order",
  ];
  return parts.filter(Boolean).join(" · ");
}
