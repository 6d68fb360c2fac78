import { useState } from "react";
import { type AdminProduct, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../../domain/catalog/size-name.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Field } from "../../../../ui/field.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";

/** Another size of a product: what differs from size to size, on top of its words. */
export function AddSize({ product, onClose }: { product: AdminProduct; onClose: () => void }) {
  const [size, setSize] = useState("");
  const [price, setPrice] = useState<number | null>(null);
  const [compareAtPrice, setCompareAt] = useState<number | null>(null);
  const [sku, setSku] = useState("");
  const [stock, setStock] = useState("");
  const [grams, setGrams] = useState("");
  const [pictures, setPictures] = useState(true);
  const [published, setPublished] = useState(false);
  const action = useAdminAction("POST /api/admin/products/:id/sizes", { failure: null });
  const { fields } = action;
  const name = (product.family ?? product).name;
  const number = (typed: string) => (typed.trim() === "" ? undefined : Number(typed));

  async function add() {
    const answer = await action.run({
      params: { id: product.id },
      body: {
        size,
        price: price ?? Number.NaN,
        compareAtPrice,
        sku,
        stock: number(stock),
        weightGrams: number(grams),
        pictures,
        published,
      },
      success: ({ data }) => ({
        title: `${data.name} added`,
        description: data.published ? "Shoppers can choose it at once." : "It is not on show yet.",
      }),
    });
    if (answer.ok) onClose();
  }

  return (
    <FormDialog
      id="add-size"
      title={`Add a size of ${name}`}
      description={
        size.trim() === ""
          ? "It gets the words of this one, and a page of its own."
          : `Orders and e-mails will name it “${sizedName({ name, size: size.trim() })}”.`
      }
      action={action}
      submitLabel="Add size"
      busyText="Adding..."
      failure="The size was not added."
      isReady={size.trim() !== "" && price !== null && !Number.isNaN(price)}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <Field
        name="new-size"
        label="Size"
        required
        maxLength={productLimits.size}
        autoComplete="off"
        value={size}
        error={fields.size}
        hint={`As on the label. This one: ${product.size}`}
        onChange={(event) => setSize(event.target.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField
          name="new-size-price"
          label="Price (USD) *"
          value={price}
          maxCents={productLimits.price}
          error={fields.price}
          hint={`This one: ${formatCents(product.price)}`}
          onChange={setPrice}
        />
        <MoneyField
          name="new-size-compare-at"
          label="Compare-at price (USD)"
          optional
          value={compareAtPrice}
          maxCents={productLimits.price}
          error={fields.compareAtPrice}
          onChange={setCompareAt}
        />
        <Field
          name="new-size-sku"
          label="SKU"
          optional
          maxLength={productLimits.sku}
          autoComplete="off"
          value={sku}
          error={fields.sku}
          onChange={(event) => setSku(event.target.value)}
        />
        <Field
          name="new-size-stock"
          label="Units in stock"
          type="number"
          inputMode="numeric"
          min={0}
          max={productLimits.stock}
          step={1}
          value={stock}
          error={fields.stock}
          hint="Empty: none yet"
          onChange={(event) => setStock(event.target.value)}
        />
        <Field
          name="new-size-weight"
          label="Weight, packed (g)"
          optional
          type="number"
          inputMode="numeric"
          min={1}
          max={productLimits.weightGrams}
          step={1}
          value={grams}
          error={fields.weightGrams}
          onChange={(event) => setGrams(event.target.value)}
        />
      </div>
      <Switch
        name="new-size-pictures"
        label="Begin with the same pictures"
        hint="Off: add its own, on its page."
        checked={pictures}
        onChange={setPictures}
      />
      <Switch
        name="new-size-published"
        label="Put it on show at once"
        hint="Off: shoppers do not see it until you publish it."
        checked={published}
        onChange={setPublished}
      />
    </FormDialog>
  );
}
