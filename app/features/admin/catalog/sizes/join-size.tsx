import { useState } from "react";
import { type AdminProduct, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../../domain/catalog/size-name.ts";
import { Field } from "../../../../ui/field.tsx";
import { Select } from "../../../../ui/select.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";

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
  const [other, setOther] = useState(joinable[0]);
  const [size, setSize] = useState(other?.size ?? "");
  const action = useAdminAction("PUT /api/admin/products/:id/family", { failure: null });
  const name = (product.family ?? product).name;

  async function join() {
    if (!other) return;
    const answer = await action.run({
      params: { id: other.id },
      body: { productId: product.id, size },
      success: ({ data }) => ({ title: `${other.name} is now ${data.name}` }),
    });
    if (answer.ok) onClose();
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
      action={action}
      submitLabel="Make it a size"
      busyText="Saving..."
      failure="Nothing was changed."
      isReady={other !== undefined && size.trim() !== ""}
      onSubmit={() => void join()}
      onClose={onClose}
    >
      <Select
        name="joined-product"
        label="Product"
        value={other?.id}
        onChange={(event) => {
          const chosen = joinable.find(({ id }) => id === Number(event.target.value));
          setOther(chosen);
          setSize(chosen?.size ?? "");
          action.forget();
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
        name="joined-size"
        label="Its size"
        required
        maxLength={productLimits.size}
        autoComplete="off"
        value={size}
        error={action.fields.size}
        hint={`As on the label. This one: ${product.size}`}
        onChange={(event) => setSize(event.target.value)}
      />
    </FormDialog>
  );
}
