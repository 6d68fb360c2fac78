import Tag from "lucide-react/icons/tag";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ProductCard } from "../features/admin/catalog/product-card.tsx";
import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/admin-products";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Manage Products");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/products")).data,
);

export default function AdminProducts({ loaderData: products }: Route.ComponentProps) {
  const add = (
    <ButtonLink to="/admin/products/new" variant="secondary" size="small">
      Add product
    </ButtonLink>
  );
  return (
    <div className="max-w-176">
      <AdminPage title="Manage Products" actions={products.length > 0 && add}>
        {products.length === 0 ? (
          <EmptyState glyph={Tag} title="No products yet" action={add} boxed>
            Add the first one: a name and a price are enough to begin with. Shoppers see it once you publish
            it.
          </EmptyState>
        ) : (
          <>
            <ul className="grid gap-4">
              {products.map((product) => (
                <li key={product.id}>
                  <ProductCard product={product} />
                </li>
              ))}
            </ul>
            <p className="mt-3 text-caption text-ink-muted">
              The button is enabled when the price differs from the current one. Carts refresh to the new
              price; paid orders keep theirs.
            </p>
          </>
        )}
      </AdminPage>
    </div>
  );
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="Manage Products" title="Failed to load products" />;
}
