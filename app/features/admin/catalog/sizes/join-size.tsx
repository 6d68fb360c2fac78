import { type AdminProduct, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../../domain/catalog/size-name.ts";
import { Field } from "../../../../ui/field.tsx";
import { Select } from "../../../../ui/select.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { useAdminForm } from "../../kit/use-admin-form.ts";

export type JoinableProduct = Pick<AdminProduct, "id" | "name" | "size">;

/** Makes a product that there is already a size of another. */
export function JoinSize({
  product,
  joinable,
  onClose,
}: {
  product: AdminProduct;
  joinable: readonly JoinableProduct[];
  onClose: () => void;
}) {
  const form = useAdminForm("PUT /api/admin/products/:id/family", {
    id: joinable[0]?.id,
    size: joinable[0]?.size ?? "",
  });
  const { size } = form.values;
  const other = joinable.find(({ id }) => id === form.values.id);
  const name = (product.family ?? product).name;

  async function join() {
    if (!other) return;
    return form.run({
      params: { id: other.id },
      body: { productId: product.id, size },
      success: ({ data }) => ({ title: `${other.name} is now ${data.name}` }),
    });
  }

  return (
    <FormDialog
      id="join-size"
      title={`Make a product a size of ${name}`}
      description={
        other && size.trim() !== ""
          ? `${other.name} will be called “${sizedName({ name, size: size.trim() })}”. It keeps its address, price, stock and words, and shares its reviews.`
          : "It keeps its address, price, stock and words, and shares its reviews."
      }
      form={form}
      submitLabel="Make it a size"
      busyText="Saving..."
      failure="Nothing was changed."
      isReady={other !== undefined && size.trim() !== ""}
      send={join}
      onClose={onClose}
    >
      <Select
        name="joined-product"
        label="Product"
        value={form.values.id}
        onChange={(event) => {
          const chosen = joinable.find(({ id }) => id === Number(event.target.value));
          form.set({ id: chosen?.id, size: chosen?.size ?? "" });
          form.forget();
        }}
      >
        {joinable.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
            {one.size && ` (${one.size})`}
          </option>
        ))}
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
