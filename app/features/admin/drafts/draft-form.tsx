import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { type ReactNode, useId, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { Draft } from "../../../../domain/drafts/draft.ts";
import type { ShopSettings } from "../../../../domain/settings/settings.ts";
import { countries } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { shippingOptionsFor } from "../../../../domain/shipping/shipping-policy.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Options, Select, TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { AddressInputs } from "../../address/address-inputs.tsx";
import { callApi } from "../../api.ts";
import { Quantity } from "../../cart/quantity.tsx";
import { TotalsList } from "../../checkout/totals-list.tsx";
import { useApiResult } from "../../use-api-result.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { FormFields, focusInvalid, handleSubmit } from "../kit/form-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { ActionBar, LeaveGuard, useLeaving } from "../kit/saved-form/save-bar.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";
import { CustomerSearch } from "./customer-search.tsx";
import {
  addressFields,
  type DraftContents,
  type DraftProduct,
  initialValues,
  newItem,
  previewRequest,
  pricedFields,
} from "./draft-contents.ts";

const debounceMs = 300;

/**
 * Form of a draft order with a live total; the server prices it as checkout would.
 * `actions` renders the saved draft's actions; its argument is whether the form has unsaved changes.
 */
export function DraftForm({
  draft,
  initialContents = draft,
  products,
  shipping,
  actions,
}: {
  /** Null for a new draft. */
  draft: Draft | null;
  /** Initial content of the form; the draft by default. */
  initialContents?: DraftContents | null;
  products: readonly DraftProduct[];
  shipping: ShopSettings["shipping"];
  actions?: ((isChanged: boolean) => ReactNode) | undefined;
}) {
  const id = useId();
  const formElement = useRef<HTMLFormElement>(null);
  const { revalidate } = useRevalidator();
  const create = useAdminAction("POST /api/admin/drafts", { failure: null });
  const update = useAdminAction("PATCH /api/admin/drafts/:id", {
    success: { title: "Draft saved" },
    failure: null,
  });
  const { busy, fields, generalProblem } = draft ? update : create;
  const form = useForm(() => initialValues(initialContents, products), { problems: fields });
  const { values, set, isDirty } = form;
  const { isLeaving, leave } = useLeaving({ replace: true });
  /** The draft that the form started from; a colleague's newer version may have been loaded since. */
  const [base, setBase] = useState(draft);
  const latestDraft = draft && base && base.revision > draft.revision ? base : draft;
  if (latestDraft && latestDraft !== base && !isDirty && !busy) startFrom(latestDraft);
  const { country } = values.shipping;
  const options = shippingOptionsFor(shipping, country);
  const hasUnreadableAmount = [
    values.shippingCents,
    values.discountCents,
    ...values.items.map(({ price }) => price),
  ].some((cents) => Number.isNaN(cents));
  const canPreview = !hasUnreadableAmount && values.items.length > 0;
  const preview = useApiResult(
    canPreview ? previewRequest(values, draft?.id ?? null) : null,
    (body, signal) => withUnlock(() => callApi("POST /api/admin/drafts/preview", { body, signal })),
    debounceMs,
  );
  const price = preview.body?.data ?? draft;
  const unusedProducts = products.filter(({ id }) => !values.items.some(({ productId }) => productId === id));

  const productName = (productId: number) =>
    products.find((product) => product.id === productId)?.name ?? "it";
  /** Moves the focus to a row's product, once the row is rendered. */
  const focusItem = (index: number) =>
    setTimeout(() => document.getElementById(`items.${index}.productId`)?.focus());

  function startFrom(saved: Draft) {
    setBase(saved);
    form.reset(initialValues(saved, products));
  }

  async function send() {
    if (busy) return;
    const body = {
      ...values,
      ...pricedFields(values),
      phone: values.phone || null,
      note: values.note || null,
    };
    if (draft) {
      const response = await update.run({
        params: { id: draft.id },
        body: { ...body, revision: base?.revision ?? draft.revision },
      });
      if (response.ok) return startFrom(response.body.data);
      focusInvalid(formElement.current);
      // Discard then shows the colleague’s version.
      if (response.problem.status === 409) await revalidate();
      return;
    }
    const response = await create.run({ body });
    if (response.ok) leave(`/admin/drafts/${response.body.data.id}`);
    else focusInvalid(formElement.current);
  }

  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
      <div className="xl:row-span-2">
        <form id={id} ref={formElement} noValidate onSubmit={handleSubmit(send)}>
          <FormFields name="Contents of the draft order" busy={busy} className="grid gap-4">
            <Card className="grid gap-4 p-5 sm:grid-cols-2">
              <h2 className="card-title sm:col-span-2">Who gets it</h2>
              {initialContents === null && (
                <CustomerSearch
                  onPick={({ shipping: address, ...recipient }) =>
                    set({
                      ...recipient,
                      phone: recipient.phone ?? "",
                      shipping: addressFields(address),
                      shippingOption: "",
                    })
                  }
                />
              )}
              <Field {...form.field("customerName")} label="Name" required autoComplete="off" />
              <Field
                {...form.field("email")}
                label="Email"
                type="email"
                inputMode="email"
                required
                autoComplete="off"
              />
              <Field
                {...form.field("phone")}
                label="Phone"
                type="tel"
                optional
                autoComplete="off"
                className="sm:col-span-2"
              />
              <AddressInputs
                country={country}
                countries={countries.filter(([code]) => shippingOptionsFor(shipping, code).length > 0)}
                bind={(name) => ({
                  ...form.field(`shipping.${name}`),
                  ...(name === "country" && {
                    onChange: ({ target }: { target: { value: string } }) =>
                      set({
                        shipping: { ...values.shipping, country: target.value, state: "" },
                        shippingOption: "",
                      }),
                  }),
                })}
              />
            </Card>
            <Card className="grid gap-4 p-5">
              <h2 className="card-title">What they get</h2>
              {values.items.map(({ productId }, index) => (
                <div
                  key={productId}
                  className="flex flex-wrap items-end gap-3 not-first-of-type:border-t border-line not-first-of-type:pt-4"
                >
                  <Select
                    {...form.field(`items.${index}.productId`, Number)}
                    label="Product"
                    className="min-w-0 grow basis-full sm:basis-40"
                  >
                    {products
                      .filter((product) => product.id === productId || unusedProducts.includes(product))
                      .map((product) => (
                        <option key={product.id} value={product.id}>
                          {product.name}, {formatCents(product.price)}
                        </option>
                      ))}
                  </Select>
                  <div className="grid gap-1.5 [&>div]:h-12.5">
                    {/* Hidden from screen readers, because the control has its own, longer name. */}
                    <span aria-hidden="true" className="text-small leading-[1.4] font-medium">
                      Quantity
                    </span>
                    <Quantity
                      {...form.field(`items.${index}.quantity`)}
                      label={`Quantity of ${productName(productId)}`}
                    />
                  </div>
                  <MoneyField
                    {...form.field(`items.${index}.price`)}
                    label="Price each"
                    optional
                    className="min-w-0 flex-1 basis-24 sm:max-w-44"
                  />
                  {values.items.length > 1 && (
                    <IconButton
                      className="mb-0.75 max-sm:-mx-2"
                      label={`Remove ${productName(productId)}`}
                      onClick={() => {
                        set({ items: values.items.filter((_, itemIndex) => itemIndex !== index) });
                        // The focused button disappears with its row. One row fewer is left, so the last index is `length - 2`.
                        focusItem(Math.min(index, values.items.length - 2));
                      }}
                    >
                      <Icon glyph={Trash2} />
                    </IconButton>
                  )}
                </div>
              ))}
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                {unusedProducts[0] && (
                  <PanelButton
                    onClick={() => {
                      set({ items: [...values.items, newItem(unusedProducts[0]?.id ?? 0)] });
                      focusItem(values.items.length);
                    }}
                  >
                    <Icon glyph={Plus} size="small" /> Add a product
                  </PanelButton>
                )}
                <p className="text-small text-ink-muted">Leave a price empty to charge the shop’s price.</p>
              </div>
              <div className="grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
                <Select {...form.field("shippingOption")} label="Shipping">
                  <option value="">As at checkout</option>
                  <Options
                    of={options.map((option) => [
                      option.id,
                      `${option.name}, ${option.price === 0 ? "free" : formatCents(option.price)}`,
                    ])}
                  />
                </Select>
                <MoneyField {...form.field("shippingCents")} label="Shipping price" optional />
                <MoneyField
                  {...form.field("discountCents")}
                  label="Discount"
                  optional
                  hint="Taken off the goods."
                  disabled={values.discountCode !== ""}
                />
                <Field
                  {...form.field("discountCode")}
                  label="Discount code"
                  optional
                  hint="Instead of an amount."
                  autoCapitalize="characters"
                />
              </div>
              <TextArea
                {...form.field("note")}
                label="Note"
                optional
                hint="Customers see it only if they ask for a copy of their data."
                maxLength={2000}
                className="[&_textarea]:min-h-24!"
              />
            </Card>
          </FormFields>
          {generalProblem && (
            <Banner className="mt-4" title="The draft was not saved.">
              {generalProblem.message} What you typed is still here.
            </Banner>
          )}
        </form>
        <LeaveGuard isDirty={isDirty && !isLeaving} />
        {(draft === null || isDirty) && (
          <ActionBar isInUse>
            <span className="mr-auto text-small text-ink-muted">
              Total
              <strong className="block text-ui font-semibold text-ink tabular-nums">
                {price ? formatCents(price.quote.totals.total) : "–"}
              </strong>
            </span>
            {latestDraft && (
              <Button variant="quiet" disabled={busy} onClick={() => startFrom(latestDraft)}>
                Discard
              </Button>
            )}
            <Button type="submit" form={id} busy={busy} busyText="Saving...">
              {draft ? "Save changes" : "Save draft"}
            </Button>
          </ActionBar>
        )}
      </div>
      <Card className="grid gap-4 p-5">
        <h2 className="card-title">Sum</h2>
        {!price && !preview.problem && canPreview && <Skeleton className="h-36" />}
        {price && (
          <div aria-busy={!preview.isCurrent} className="grid gap-3 aria-busy:text-ink-muted">
            <TotalsList totals={price.quote.totals} discountCode={values.discountCode || null} />
            {price.takenOff > 0 && (
              <p className="text-small text-ink-muted">
                {formatCents(price.takenOff)} below the shop’s prices.
              </p>
            )}
            <p role="status" className="sr-only">
              {preview.isCurrent && isDirty && `Total ${formatCents(price.quote.totals.total)}`}
            </p>
          </div>
        )}
        {price && Object.keys(price.problems).length > 0 && (
          <Banner tone="warning" title="This draft cannot be paid yet.">
            {Object.values(price.problems).join(" ")}
          </Banner>
        )}
      </Card>
      {actions && <div className="max-xl:order-first">{actions(isDirty)}</div>}
    </div>
  );
}
