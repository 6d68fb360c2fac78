import { type FormEvent, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { productLimits, slugFrom } from "../../../../domain/catalog/product-admin.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { LeaveGuard } from "../kit/leave-guard.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** What a product needs to exist; the rest is written on its own page, before it is published. */
export function NewProductForm() {
  const [name, setName] = useState("");
  const [price, setPrice] = useState<number | null>(null);
  const [stock, setStock] = useState("");
  const [madeId, setMadeId] = useState<number | null>(null);
  const action = useAdminAction("POST /api/admin/products", { failure: null });
  const navigate = useNavigate();
  const isDirty = madeId === null && (name !== "" || price !== null || stock !== "");
  const slug = slugFrom(name);

  // Only once the form is known to be saved: until then, leaving it asks.
  useEffect(() => {
    if (madeId !== null) void navigate(`/admin/products/${madeId}`, { replace: true });
  }, [madeId, navigate]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure shows its first field, even the same one
  useEffect(() => {
    const [first] = Object.keys(action.fields);
    if (first) document.getElementById(first)?.focus();
  }, [action.problem]);

  async function add(event: FormEvent) {
    event.preventDefault();
    if (action.busy) return;
    const units = stock === "" ? 0 : Number(stock);
    const answer = await action.run({
      body: {
        name, // No number where none was typed: the shop says what is missing.
        price: price ?? Number.NaN,
        stock: units,
      },
      success: { title: `${name.trim()} added`, description: "Now its words and pictures." },
    });
    if (answer.ok) setMadeId(answer.body.data.id);
  }

  return (
    <form noValidate onSubmit={add} className="max-w-140">
      <Card className="grid gap-5 p-5">
        {action.problem && Object.keys(action.fields).length === 0 && (
          <Banner title="The product was not added.">{action.problem.message}</Banner>
        )}
        <Field
          name="name"
          label="Name"
          required
          maxLength={productLimits.name}
          value={name}
          error={action.fields.name}
          hint={
            slug ? `Its page will be /product/${slug}; you can change that later.` : "As shoppers read it."
          }
          onChange={(event) => setName(event.target.value)}
        />
        <MoneyField
          name="price"
          label="Price (USD) *"
          value={price}
          maxCents={productLimits.price}
          error={action.fields.price && price === null ? "Enter a price" : action.fields.price}
          onChange={setPrice}
        />
        <Field
          name="stock"
          label="Units in stock"
          type="number"
          inputMode="numeric"
          min={0}
          max={productLimits.stock}
          step={1}
          value={stock}
          error={action.fields.stock}
          hint="None yet? Leave it empty; it shows as sold out until there are some."
          onChange={(event) => setStock(event.target.value)}
        />
        <p className="text-small text-ink-muted">Shoppers do not see it until you publish it.</p>
        <div>
          <Button type="submit" busy={action.busy} busyText="Adding...">
            Add product
          </Button>
        </div>
      </Card>
      <LeaveGuard isDirty={isDirty} />
    </form>
  );
}
