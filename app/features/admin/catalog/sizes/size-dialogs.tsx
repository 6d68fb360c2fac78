import { type AdminProduct, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../../domain/catalog/size-name.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Field, Options, Select } from "../../../../ui/field.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";

/** Adds a size of a product. Asks only for the fields that differ between sizes; the texts are copied. */
export function AddSize({ product, onClose }: { product: AdminProduct; onClose: () => void }) {
  const form = useAdminForm("POST /api/admin/products/:id/sizes", {
    size: "",
    price: null as number | null,
    compareAtPrice: null as number | null,
    sku: "",
    stock: "",
    weightGrams: "",
    pictures: true,
    published: false,
  });
  const { size, price } = form.values;
  const name = (product.family ?? product).name;
  const numberOrUndefined = (text: string) => (text.trim() === "" ? undefined : Number(text));

  return (
    <FormDialog
      title={`Add a size of ${name}`}
      description={
        size.trim() === ""
          ? "It gets the texts of this one, and its own page."
          : `Orders and e-mails will name it “${sizedName({ name, size: size.trim() })}”.`
      }
      form={form}
      submitLabel="Add size"
      busyText="Adding..."
      failure="The size was not added."
      isReady={size.trim() !== "" && price !== null && !Number.isNaN(price)}
      send={() =>
        form.run({
          params: { id: product.id },
          body: {
            ...form.values,
            price: price ?? Number.NaN,
            stock: numberOrUndefined(form.values.stock),
            weightGrams: numberOrUndefined(form.values.weightGrams),
          },
          success: ({ data }) => ({
            title: `${data.name} added`,
            description: data.published
              ? "Shoppers can choose it at once."
              : "It is hidden until you publish it.",
          }),
        })
      }
      onClose={onClose}
    >
      <Field
        {...form.field("size")}
        name="new-size"
        label="Size"
        required
        maxLength={productLimits.size}
        autoComplete="off"
        hint={`As on the label. This one: ${product.size}`}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField
          {...form.field("price")}
          name="new-size-price"
          label="Price (USD) *"
          maxCents={productLimits.price}
          hint={`This one: ${formatCents(product.price)}`}
        />
        <MoneyField
          {...form.field("compareAtPrice")}
          name="new-size-compare-at"
          label="Compare-at price (USD)"
          optional
          maxCents={productLimits.price}
        />
        <Field
          {...form.field("sku")}
          name="new-size-sku"
          label="SKU"
          optional
          maxLength={productLimits.sku}
          autoComplete="off"
        />
        <Field
          {...form.field("stock")}
          name="new-size-stock"
          label="Units in stock"
          type="number"
          inputMode="numeric"
          min={0}
          max={productLimits.stock}
          hint="Empty: none yet"
        />
        <Field
          {...form.field("weightGrams")}
          name="new-size-weight"
          label="Weight, packed (g)"
          optional
          type="number"
          inputMode="numeric"
          min={1}
          max={productLimits.weightGrams}
        />
      </div>
      <Switch
        {...form.field("pictures")}
        name="new-size-pictures"
        label="Begin with the same pictures"
        hint="Off: it shows the first size’s pictures until you add its own."
      />
      <Switch
        {...form.field("published")}
        name="new-size-published"
        label="Publish it at once"
        hint="Off: shoppers do not see it until you publish it."
      />
    </FormDialog>
  );
}

export type JoinableProduct = Pick<AdminProduct, "id" | "name" | "size">;

/** Makes an existing product a size of another. */
export function JoinSize({
  product,
  joinableProducts,
  onClose,
}: {
  product: AdminProduct;
  joinableProducts: readonly JoinableProduct[];
  onClose: () => void;
}) {
  const form = useAdminForm("PUT /api/admin/products/:id/family", {
    id: joinableProducts[0]?.id,
    size: joinableProducts[0]?.size ?? "",
  });
  const { size } = form.values;
  const joinedProduct = joinableProducts.find(({ id }) => id === form.values.id);
  const name = (product.family ?? product).name;

  async function join() {
    if (!joinedProduct) return;
    return form.run({
      params: { id: joinedProduct.id },
      body: { productId: product.id, size },
      success: ({ data }) => ({ title: `${joinedProduct.name} is now ${data.name}` }),
    });
  }

  return (
    <FormDialog
      title={`Make a product a size of ${name}`}
      description={
        joinedProduct && size.trim() !== ""
          ? `${joinedProduct.name} will be called “${sizedName({ name, size: size.trim() })}”. It keeps its address, price, stock and texts, and shares its reviews.`
          : "It keeps its address, price, stock and texts, and shares its reviews."
      }
      form={form}
      submitLabel="Make it a size"
      failure="Nothing was changed."
      isReady={joinedProduct !== undefined && size.trim() !== ""}
      send={join}
      onClose={onClose}
    >
      <Select
        name="joined-product"
        label="Product"
        value={form.values.id}
        onChange={(event) => {
          const product = joinableProducts.find(({ id }) => id === Number(event.target.value));
          form.set({ id: product?.id, size: product?.size ?? "" });
          form.clearProblem();
        }}
      >
        <Options of={joinableProducts.map(({ id, name, size }) => [id, size ? `${name} (${size})` : name])} />
      </Select>
      <Field
        {...form.field("size")}
        name="joined-size"
        label="Its size"
        required
        maxLength={productLimits.size}
        autoComplete="off"
        hint={`As on the label. This one: ${product.size}`}
      />
    </FormDialog>
  );
}
