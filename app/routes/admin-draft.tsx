import { adminLoader } from "../features/admin/admin-data.ts";
import { DraftActions } from "../features/admin/drafts/draft-actions.tsx";
import { DraftForm } from "../features/admin/drafts/draft-form.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import type { Route } from "./+types/admin-draft";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(
    args,
    args.loaderData?.draft ? `Draft for ${args.loaderData.draft.customerName}` : "New draft",
  );

/** The id `new` opens the form of a new draft. */
export const loader = adminLoader(async ({ context, params: { id } }: Route.LoaderArgs, read) => {
  const [draft, { data: products }, { shipping }] = await Promise.all([
    id === "new" ? null : read("GET /api/admin/drafts/:id", { params: { id } }),
    read("GET /api/products"),
    context.get(shopContext).settings(),
  ]);
  return {
    draft: draft?.data ?? null,
    products: products.map(({ id: productId, name, price }) => ({ id: productId, name, price })),
    shipping,
  };
});

export default function AdminDraft({ loaderData: { draft, products, shipping } }: Route.ComponentProps) {
  const isClosed = draft?.status === "paid" || draft?.status === "processing";
  return (
    <AdminPage
      title={draft ? `Draft for ${draft.customerName}` : "New draft"}
      back={{ to: "/admin/drafts", label: "Draft orders" }}
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        {draft && (
          <div className="xl:order-last">
            <DraftActions key={draft.revision} draft={draft} />
          </div>
        )}
        {!isClosed && (
          <DraftForm
            key={`${draft?.id} ${draft?.revision}`}
            draft={draft}
            products={products}
            shipping={shipping}
          />
        )}
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Draft orders", "The draft could not be loaded");
