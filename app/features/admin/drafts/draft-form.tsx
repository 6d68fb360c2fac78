import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { useRef } from "react";
import { useNavigate } from "react-router";
import type { Draft } from "../../../../domain/drafts/draft.ts";
import type { ShopSettings } from "../../../../domain/settings/settings.ts";
import { countries } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { homeCountry, shippingOptionsFor } from "../../../../domain/shipping/shipping-policy.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { AddressInputs } from "../../address/address-inputs.tsx";
import { Quantity } from "../../cart/quantity.tsx";
import { focusInvalid } from "../kit/form-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

type DraftProduct = { id: number; name: string; price: number };

const emptyAddress = { line1: "", line2: "", city: "", state: "", postalCode: "", country: homeCountry };

function startOf(draft: Draft | null, products: readonly DraftProduct[]) {
  const first = products[0];
  return {
    email: draft?.email ?? "",
    customerName: draft?.customerName ?? "",
    phone: draft?.phone ?? "",
    shipping: draft ? { ...draft.shipping, line2: draft.shipping.line2 ?? "" } : emptyAddress,
    shippingOption: draft?.shippingOption ?? "",
    items: draft?.items ?? (first ? [{ productId: first.id, quantity: 1 }] : []),
    discountCode: draft?.discountCode ?? "",
    discountCents: draft?.discountCents || null,
    note: draft?.note ?? "",
  };
}

/** Form of a draft order. The server prices it on saving, as checkout would. */
export function DraftForm({
  draft,
  products,
  shipping,
}: {
  /** Null: a new draft. */
  draft: Draft | null;
  products: readonly DraftProduct[];
  shipping: ShopSettings["shipping"];
}) {
  const element = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const writing = useAdminAction("POST /api/admin/drafts", { failure: null });
  const changing = useAdminAction("PATCH /api/admin/drafts/:id", {
    success: { title: "Draft saved" },
    failure: null,
  });
  const { busy, fields, generalProblem } = draft ? changing : writing;
  const form = useForm(() => startOf(draft, products), { problems: fields });
  const { values, set } = form;
  const { country } = values.shipping;
  const options = shippingOptionsFor(shipping, country);
  const unused = products.filter(({ id }) => !values.items.some(({ productId }) => productId === id));

  async function save() {
    if (busy) return;
    const body = {
      ...values,
      phone: values.phone || null,
      shippingOption: values.shippingOption || null,
      discountCode: values.discountCode || null,
      discountCents: values.discountCents ?? 0,
      note: values.note || null,
    };
    if (draft) {
      const answer = await changing.run({
        params: { id: draft.id },
        body: { ...body, revision: draft.revision },
      });
      if (!answer.ok) focusInvalid(element.current);
      return;
    }
    const answer = await writing.run({ body });
    if (answer.ok) await navigate(`/admin/drafts/${answer.body.data.id}`, { replace: true });
    else focusInvalid(element.current);
  }

  return (
    <form
      ref={element}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Panel className="grid gap-4 p-5! sm:grid-cols-2">
        <h2 className="text-h3 sm:col-span-2">Who gets it</h2>
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
      </Panel>
      <Panel className="grid gap-4 p-5!">
        <h2 className="text-h3">What they get</h2>
        {values.items.map(({ productId }, at) => (
          <div key={productId} className="flex flex-wrap items-end gap-3">
            <Select
              {...form.field(`items.${at}.productId`, Number)}
              label="Product"
              className="min-w-0 grow basis-48"
            >
              {products
                .filter(({ id }) => id === productId || unused.some((each) => each.id === id))
                .map(({ id, name, price }) => (
                  <option key={id} value={id}>
                    {name}, {formatCents(price)}
                  </option>
                ))}
            </Select>
            <Quantity {...form.field(`items.${at}.quantity`)} />
            {values.items.length > 1 && (
              <IconButton
                label="Remove this product"
                onClick={() => set({ items: values.items.filter((_, other) => other !== at) })}
              >
                <Icon glyph={Trash2} />
              </IconButton>
            )}
          </div>
        ))}
        {unused[0] && (
          <Button
            variant="secondary"
            size="small"
            className="justify-self-start"
            onClick={() => set({ items: [...values.items, { productId: unused[0]?.id ?? 0, quantity: 1 }] })}
          >
            <Icon glyph={Plus} size="small" /> Add a product
          </Button>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Select {...form.field("shippingOption")} label="Shipping">
            <option value="">The usual one</option>
            {options.map(({ id, name, price }) => (
              <option key={id} value={id}>
                {name}, {price === 0 ? "free" : formatCents(price)}
              </option>
            ))}
          </Select>
          <MoneyField
            {...form.field("discountCents")}
            label="Discount"
            optional
            hint="Off the goods."
            disabled={values.discountCode !== ""}
          />
          <Field
            {...form.field("discountCode")}
            label="Discount code"
            optional
            hint="In place of an amount."
            autoCapitalize="characters"
          />
        </div>
        <TextArea
          {...form.field("note")}
          label="Note"
          optional
          hint="For you alone."
          maxLength={2000}
          className="[&_textarea]:min-h-24!"
        />
      </Panel>
      {generalProblem && (
        <Banner title="The draft was not saved.">
          {generalProblem.message} What you typed is still here.
        </Banner>
      )}
      <Button type="submit" className="justify-self-start" busy={busy} busyText="Saving...">
        {draft ? "Save changes" : "Save draft"}
      </Button>
    </form>
  );
}
