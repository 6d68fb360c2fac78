import { Link } from "react-router";
import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { DraftActions } from "../features/admin/drafts/draft-actions.tsx";
import { contentsOf } from "../features/admin/drafts/draft-contents.ts";
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

/** The id `new` opens the form of a new draft, with `?order=` filled in from that order. */
export const loader = adminLoader(async ({ context, request, params: { id } }: Route.LoaderArgs, read) => {
  const isNew = id === "new";
  const orderId = isNew ? uuidParam(request, "order") : undefined;
  const [draft, order, { data: products }, { shipping }] = await Promise.all([
    isNew ? null : read("GET /api/admin/drafts/:id", { params: { id } }),
    orderId ? read("GET /api/admin/orders/:id", { params: { id: orderId } }) : null,
    read("GET /api/products"),
    context.get(shopContext).settings(),
  ]);
  return {
    draft: draft?.data ?? null,
    order: order?.data ?? null,
    products: products.map(({ id: productId, name, price }) => ({ id: productId, name, price })),
    shipping,
  };
});

export default function AdminDraft({ loaderData }: Route.ComponentProps) {
  const { draft, order, products, shipping } = loaderData;
  const isClosed = draft?.status === "paid" || draft?.status === "processing";
  return (
    <AdminPage
      title={draft ? `Draft for ${draft.customerName}` : "New draft"}
      back={{ to: "/admin/drafts", label: "Draft orders" }}
    >
      {order && (
        <p className="mb-4 text-ui text-ink-muted">
          Filled in from{" "}
          <Link to={`/admin/orders/${order.id}`} className="link">
            order #{order.number}
          </Link>
          , at the shop’s prices of today.
        </p>
      )}
      {isClosed ? (
        <div className="max-w-120">
          <DraftActions draft={draft} />
        </div>
      ) : (
        <DraftForm
          key={`${draft?.id} ${draft?.revision} ${order?.id}`}
          draft={draft}
          start={draft ?? (order && contentsOf(order, products, shipping))}
          products={products}
          shipping={shipping}
          actions={draft ? (isChanged) => <DraftActions draft={draft} isChanged={isChanged} /> : undefined}
        />
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Draft orders", "The draft could not be loaded");
