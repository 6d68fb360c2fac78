import Tag from "lucide-react/icons/tag";
import { useState } from "react";
import { Link } from "react-router";
import type { AdminProduct } from "../../domain/catalog/product-admin.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ProductCard, ProductThumbnail } from "../features/admin/catalog/product-card.tsx";
import { ProductBadges } from "../features/admin/catalog/product-facts.tsx";
import { ImportLink } from "../features/admin/imports/import-link.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import type { Route } from "./+types/admin-products";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Manage Products");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/products")).data,
);

export default function AdminProducts({ loaderData: products }: Route.ComponentProps) {
  const [searchText, setSearchText] = useState("");
  const addButtons = (
    <div className="flex flex-wrap justify-center gap-2">
      <ImportLink kind="products" />
      <ButtonLink to="/admin/products/new" variant="secondary" size="small">
        Add product
      </ButtonLink>
    </div>
  );
  const matches = products.filter((product) => matchesSearch(product, searchText));
  const currentProducts = matches.filter(({ archivedAt }) => archivedAt === null);
  const archivedProducts = matches.filter(({ archivedAt }) => archivedAt !== null);
  return (
    <div className="max-w-176">
      <AdminPage title="Manage Products" actions={products.length > 0 && addButtons}>
        {products.length === 0 ? (
          <EmptyState glyph={Tag} title="No products yet" action={addButtons} boxed>
            Add the first one: a name and a price are enough to begin with. Shoppers see it once you publish
            it.
          </EmptyState>
        ) : (
          <>
            {products.length > 3 && (
              <Field
                name="find-product"
                label="Find a product"
                type="search"
                autoComplete="off"
                value={searchText}
                hint="By name, size, SKU, bar code or part number"
                className="mb-5"
                onChange={(event) => setSearchText(event.target.value)}
              />
            )}
            <p role="status" className={matches.length === 0 ? "text-ui text-ink-muted" : "sr-only"}>
              {searchText.trim() !== "" &&
                (matches.length === 0 ? "No product matches that." : `${matches.length} found`)}
            </p>
            <ProductCards products={currentProducts} isOpen={searchText.trim() !== ""} />
            {archivedProducts.length > 0 && (
              <details className="mt-6" open={searchText.trim() !== "" || currentProducts.length === 0}>
                <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium">
                  Archived ({archivedProducts.length})
                </summary>
                <div className="mt-3">
                  <ProductCards products={archivedProducts} isOpen={false} />
                </div>
              </details>
            )}
            <p className="mt-3 text-caption text-ink-muted">
              The button is enabled when the price differs from the current one. Carts get the new price; paid
              orders keep theirs.
            </p>
          </>
        )}
      </AdminPage>
    </div>
  );
}

/** Cards of products; the sizes of one product share a card, at the place of the first size. */
function ProductCards({ products, isOpen }: { products: readonly AdminProduct[]; isOpen: boolean }) {
  const families = Map.groupBy(products, ({ id, family }) => (family ? `family ${family.id}` : id));
  return (
    <ul className="grid gap-4">
      {[...families].map(([key, sizes]) => {
        const [product] = sizes;
        const sizeIds = product?.family?.sizes.map(({ id }) => id) ?? [];
        return (
          product && (
            <li key={key}>
              {product.family && sizes.length > 1 ? (
                <FamilyCard
                  name={product.family.name}
                  products={sizes.toSorted((a, b) => sizeIds.indexOf(a.id) - sizeIds.indexOf(b.id))}
                  isOpen={isOpen}
                />
              ) : (
                <ProductCard product={product} />
              )}
            </li>
          )
        );
      })}
    </ul>
  );
}

function matchesSearch({ name, size, sku, gtin, mpn }: AdminProduct, searchText: string): boolean {
  const text = searchText.trim().toLowerCase();
  return [name, size, sku, gtin, mpn].some((value) => value?.toLowerCase().includes(text));
}

export const ErrorBoundary = problemPage("Manage Products", "Failed to load products");

/** The sizes of one product in the list, each with its price, stock and links. */
function FamilyCard({
  name,
  products,
  isOpen,
}: {
  name: string;
  /** The family's sizes, in their order. */
  products: readonly AdminProduct[];
  isOpen: boolean;
}) {
  const stock = products.reduce((sum, product) => sum + product.stock, 0);
  const [firstProduct] = products;
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex items-start gap-5">
        {firstProduct && <ProductThumbnail product={firstProduct} />}
        <div className="grid min-w-0 gap-1.5">
          <h2 className="text-h3 wrap-anywhere">{name}</h2>
          <p className="text-small text-ink-muted">
            {products.length} sizes · {stock.toLocaleString("en-US")} available
          </p>
        </div>
      </div>
      <ul>
        {products.map((product) => (
          <li
            key={product.id}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 border-t border-line py-1.5 text-small sm:flex"
          >
            <Link
              className="link mr-auto inline-flex min-h-11 items-center font-medium wrap-anywhere"
              to={`/admin/products/${product.id}`}
            >
              <span className="sr-only">{name}, </span>
              {product.size}
            </Link>
            <span className="justify-self-end tabular-nums sm:order-2">{formatCents(product.price)}</span>
            <Link
              className="link inline-flex min-h-11 items-center justify-self-start tabular-nums sm:order-3"
              to={`/admin/products/${product.id}/stock`}
            >
              {product.stock.toLocaleString("en-US")} available
              <span className="sr-only"> of {product.name}</span>
            </Link>
            <span className="max-sm:col-span-2 sm:order-1">
              <ProductBadges product={product} />
            </span>
          </li>
        ))}
      </ul>
      <details open={isOpen}>
        <summary className="inline-flex min-h-11 link cursor-pointer items-center text-small">
          Change prices
        </summary>
        <ul className="mt-2 grid gap-4">
          {products.map((product) => (
            <li key={product.id}>
              <ProductCard product={product} level="h3" />
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
