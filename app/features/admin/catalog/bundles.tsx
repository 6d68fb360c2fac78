import { useState } from "react";
import { bundleConcern, type ProductBundle } from "../../../../domain/catalog/bundle-form.ts";
import { maxBundleQuantity, minBundleQuantity } from "../../../../domain/catalog/bundles.ts";
import { type AdminProduct, productLimits } from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Options, Select } from "../../../ui/field.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { Fold } from "../kit/fold.tsx";
import { handleSubmit } from "../kit/form-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

type BundlesProps = { product: Pick<AdminProduct, "id" | "price">; bundles: ProductBundle[] };

/** Bundle prices for several units: each is saved separately, and a surprising price asks for confirmation first. */
export function Bundles({ product, bundles }: BundlesProps) {
  const quantities = Array.from(
    { length: maxBundleQuantity - minBundleQuantity + 1 },
    (_, index) => minBundleQuantity + index,
  ).filter((quantity) => bundles.every((bundle) => bundle.quantity !== quantity));
  return (
    <section aria-labelledby="bundles">
      <div className="p-4 sm:px-5">
        <h2 id="bundles" className="card-title">
          Bundles
        </h2>
        <p className="text-small text-ink-muted">
          A special price for several units. Shoppers pay the cheapest combination for what is in their cart.
        </p>
      </div>
      <div className="divide-y divide-line border-t border-line">
        {bundles.map((bundle) => (
          <Fold
            key={`${bundle.quantity}-${bundle.price}`}
            level="h3"
            title={`${bundle.quantity} for ${formatCents(bundle.price)}`}
            state={bundle.active ? bundleSaving(product, bundle) : "Off"}
          >
            <BundleRow product={product} bundle={bundle} bundles={bundles} />
          </Fold>
        ))}
        {quantities.length > 0 && (
          <Fold level="h3" title="Add a bundle" isOpen={bundles.length === 0}>
            <NewBundle key={quantities.join()} product={product} bundles={bundles} quantities={quantities} />
          </Fold>
        )}
      </div>
    </section>
  );
}

/** Such as "saves $3.00, 5 %". */
function bundleSaving(product: BundlesProps["product"], { quantity, price }: ProductBundle): string {
  const regularPrice = product.price * quantity;
  const saving = regularPrice - price;
  return saving > 0
    ? `saves ${formatCents(saving)}, ${Math.round((saving * 100) / regularPrice)} %`
    : "saves nothing";
}

function BundleRow({ product, bundle, bundles }: BundlesProps & { bundle: ProductBundle }) {
  const { quantity, active } = bundle;
  const save = useSaveBundle({ product, bundles });
  const form = useForm({ price: bundle.price }, { problems: save.fields });
  const cents = form.values.price;
  const remove = useAdminAction("DELETE /api/admin/products/:id/bundles/:quantity", {
    success: { title: `Bundle of ${quantity} removed` },
    failure: `Bundle of ${quantity} could not be removed`,
  });
  const busy = save.busy || remove.busy;
  const params = { id: product.id, quantity: String(quantity) };
  return (
    <form
      className="grid gap-2"
      onSubmit={handleSubmit(() => cents && save.confirmAndSend({ quantity, price: cents }))}
    >
      <div className="flex flex-wrap items-end gap-3">
        <PriceField quantity={quantity} {...form.field("price")} busy={busy} />
        <PanelButton
          variant="primary"
          type="submit"
          className="min-h-12.5!"
          busy={save.busy}
          busyText="Saving"
          disabled={busy || !cents || cents === bundle.price}
        >
          Save
        </PanelButton>
      </div>
      {cents > 0 && <PriceNote product={product} bundle={{ quantity, price: cents }} bundles={bundles} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Switch
          name={`bundle-active-${quantity}`}
          label="On offer"
          checked={active}
          disabled={busy}
          onChange={(next) => void save.send({ ...bundle, active: next })}
        />
        <PanelButton
          type="button"
          variant="danger-quiet"
          disabled={busy}
          onClick={() => void remove.run({ params })}
        >
          Remove<span className="sr-only"> the bundle of {quantity}</span>
        </PanelButton>
      </div>
      {save.dialog}
    </form>
  );
}

function NewBundle({ product, bundles, quantities }: BundlesProps & { quantities: number[] }) {
  const save = useSaveBundle({ product, bundles });
  const form = useForm(
    { quantity: quantities[0] ?? minBundleQuantity, price: null as number | null },
    { problems: save.fields },
  );
  const { quantity, price: cents } = form.values;
  return (
    <form
      className="grid gap-2"
      onSubmit={handleSubmit(() => cents && save.confirmAndSend({ quantity, price: cents }))}
    >
      <div className="flex flex-wrap items-end gap-3">
        <Select
          {...form.field("quantity", Number)}
          label="Units"
          name="new-bundle-quantity"
          className="w-22"
          disabled={save.busy}
        >
          <Options of={quantities} />
        </Select>
        <PriceField quantity={quantity} {...form.field("price")} busy={save.busy} />
        <PanelButton
          type="submit"
          className="min-h-12.5!"
          busy={save.busy}
          busyText="Adding"
          disabled={!cents}
        >
          Add Bundle
        </PanelButton>
      </div>
      {cents ? (
        <PriceNote product={product} bundle={{ quantity, price: cents }} bundles={bundles} />
      ) : (
        <p className="text-caption text-ink-muted">
          {quantity} bought singly cost {formatCents(product.price * quantity)}.
        </p>
      )}
      {save.dialog}
    </form>
  );
}

function PriceField({
  quantity,
  busy,
  ...field
}: {
  quantity: number;
  value: number | null;
  onChange: (cents: number) => void;
  busy: boolean;
  error: string | undefined;
}) {
  return (
    <MoneyField
      {...field}
      name={`bundle-price-${quantity}`}
      label={`Price of ${quantity} (USD)`}
      maxCents={productLimits.price}
      disabled={busy}
      className="min-w-28 flex-1"
    />
  );
}

/** Shows the saving for shoppers, or a warning about an unusual price. */
function PriceNote({
  product,
  bundle,
  bundles,
}: BundlesProps & { bundle: { quantity: number; price: number } }) {
  const concern = bundleConcern(product.price, bundle, otherActiveBundles(bundles, bundle.quantity));
  if (concern) return <p className="text-caption font-medium text-warning">{concern}</p>;
  const saving = product.price * bundle.quantity - bundle.price;
  return (
    <p className="text-caption text-ink-muted tabular-nums">
      {formatCents(Math.round(bundle.price / bundle.quantity))} each. Shoppers save {formatCents(saving)}.
    </p>
  );
}

type BundleUpdate = { quantity: number; price: number; active?: boolean };

/** Saves a bundle. `confirmAndSend` opens `dialog` first if the price is surprising. */
function useSaveBundle({ product, bundles }: BundlesProps) {
  const [confirmation, setConfirmation] = useState<{ update: BundleUpdate; concern: string } | null>(null);
  const action = useAdminAction("PUT /api/admin/products/:id/bundles/:quantity", {
    success: ({ data: { quantity, price, active } }) => ({
      title: active ? `${quantity} for ${formatCents(price)} is on offer` : `Bundle of ${quantity} is off`,
    }),
    failure: "The bundle could not be saved",
  });
  async function send({ quantity, ...body }: BundleUpdate): Promise<void> {
    await action.run({ params: { id: product.id, quantity: String(quantity) }, body });
    setConfirmation(null);
  }
  const confirmAndSend = (update: BundleUpdate) => {
    const concern = bundleConcern(product.price, update, otherActiveBundles(bundles, update.quantity));
    if (concern === null) void send(update);
    else setConfirmation({ update, concern });
  };
  const dialog = confirmation && (
    <ConfirmDialog
      danger={false}
      onClose={() => setConfirmation(null)}
      title={`Sell ${confirmation.update.quantity} for ${formatCents(confirmation.update.price)}?`}
      description={confirmation.concern}
      confirmLabel="Save price"
      busyText="Saving"
      form={{ busy: action.busy, problem: null }}
      send={() => void send(confirmation.update)}
    />
  );
  return { busy: action.busy, fields: action.fields, confirmAndSend, send, dialog };
}

function otherActiveBundles(bundles: ProductBundle[], quantity: number): ProductBundle[] {
  return bundles.filter((bundle) => bundle.active && bundle.quantity !== quantity);
}
