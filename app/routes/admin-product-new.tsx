import { type FormEvent, useEffect } from "react";
import { productLimits, slugFrom } from "../../domain/catalog/product-admin.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { MoneyField } from "../features/admin/kit/money-field.tsx";
import { LeaveGuard, useLeaving } from "../features/admin/kit/saved-form/save-bar.tsx";
import { useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Field } from "../ui/field.tsx";
import type { Route } from "./+types/admin-product-new";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Add product");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  await read("GET /api/admin/counts");
  return {};
});

export default function AdminProductNew() {
  return (
    <AdminPage title="Add product" back={{ to: "/admin/products", label: "Manage Products" }}>
      <NewProductForm />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Add product", "The form could not be loaded");

/** The fields required to create a product; its other fields are edited on its page before it is published. */
function NewProductForm() {
  const { isLeaving, leave } = useLeaving({ replace: true });
  const form = useAdminForm("POST /api/admin/products", {
    name: "",
    price: null as number | null,
    stock: "",
  });
  const { name, price, stock } = form.values;
  const slug = slugFrom(name);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure focuses its first field, even if it is the same field again
  useEffect(() => {
    const [firstField] = Object.keys(form.fields);
    if (firstField) document.getElementById(firstField)?.focus();
  }, [form.problem]);

  async function add(event: FormEvent) {
    event.preventDefault();
    if (form.busy) return;
    const units = stock === "" ? 0 : Number(stock);
    const response = await form.run({
      body: {
        name,
        // An empty field is sent as NaN, so that the server reports it together with the other missing fields.
        price: price ?? Number.NaN,
        stock: units,
      },
      success: { title: `${name.trim()} added`, description: "Now add its texts and pictures." },
    });
    if (response.ok) leave(`/admin/products/${response.body.data.id}`);
  }

  return (
    <form noValidate onSubmit={add} className="max-w-140">
      <Card className="grid gap-5 p-5">
        {form.generalProblem && (
          <Banner title="The product was not added.">{form.generalProblem.message}</Banner>
        )}
        <Field
          {...form.field("name")}
          label="Name"
          required
          maxLength={productLimits.name}
          hint={
            slug ? `Its page will be /product/${slug}; you can change that later.` : "As shoppers see it."
          }
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <MoneyField
            {...form.field("price")}
            label="Price (USD) *"
            maxCents={productLimits.price}
            error={form.fields.price && price === null ? "Enter a price" : form.fields.price}
          />
          <Field
            {...form.field("stock")}
            label="Units in stock"
            type="number"
            inputMode="numeric"
            min={0}
            max={productLimits.stock}
            hint="None yet? Leave it empty, and it shows as sold out."
          />
        </div>
        <p className="text-small text-ink-muted">Shoppers do not see it until you publish it.</p>
        <div>
          <Button type="submit" size="small" busy={form.busy} busyText="Adding...">
            Add product
          </Button>
        </div>
      </Card>
      <LeaveGuard isDirty={form.isDirty && !isLeaving} />
    </form>
  );
}
