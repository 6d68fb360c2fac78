import ExternalLink from "lucide-react/icons/external-link";
import { Link } from "react-router";
import type { AdminProduct } from "../../domain/catalog/product-admin.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { Bundles } from "../features/admin/catalog/bundles.tsx";
import { GalleryEditor } from "../features/admin/catalog/gallery/gallery-editor.tsx";
import { PriceForm } from "../features/admin/catalog/price-form.tsx";
import { CurrentPrice } from "../features/admin/catalog/product-facts.tsx";
import { ProductForm } from "../features/admin/catalog/product-form.tsx";
import { ProductEnding, Publishing } from "../features/admin/catalog/publishing.tsx";
import { ProductSizes } from "../features/admin/catalog/sizes/product-sizes.tsx";
import { StockKeeping } from "../features/admin/catalog/stock-keeping.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-product";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Edit ${args.loaderData.product.name}` : "Edit product");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const [product, bundles, all] = await Promise.all([
    read("GET /api/admin/products/:id", { params }),
    read("GET /api/admin/products/:id/bundles", { params }),
    read("GET /api/admin/products"),
  ]);
  return {
    product: product.data,
    bundles: bundles.data,
    joinable: all.data
      .filter((one) => one.id !== product.data.id && one.family === null && one.archivedAt === null)
      .map(({ id, name, size }) => ({ id, name, size })),
  };
});

export default function AdminProductPage({
  loaderData: { product, bundles, joinable },
}: Route.ComponentProps) {
  return (
    <AdminPage
      key={product.id}
      title={product.name}
      back={{ to: "/admin/products", label: "Manage Products" }}
      actions={
        // Opens a new tab, which shows the edits, so that they stay in the form.
        <a
          className={buttonClass({ variant: "secondary", size: "small" })}
          href={`/admin/products/${product.id}/preview`}
          target="_blank"
          rel="noopener opener"
        >
          Preview <Icon glyph={ExternalLink} size="small" />
          <span className="sr-only">in a new tab</span>
        </a>
      }
    >
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] xl:items-start">
        <div className="grid gap-6 xl:col-start-2 xl:row-start-1">
          <Card className="p-5">
            <Publishing product={product} />
          </Card>
          <Card className="grid gap-3 p-5">
            <h2 className="text-h3">Price</h2>
            <CurrentPrice product={product} />
            <PriceForm product={product} />
          </Card>
          <Card className="p-5">
            <ProductSizes product={product} joinable={joinable} />
          </Card>
          <Card className="p-5">
            <Bundles product={product} bundles={bundles} />
          </Card>
          <Card className="p-5">
            <StockLine product={product} />
          </Card>
          <Card className="p-5">
            <StockKeeping product={product} />
          </Card>
          <Card className="p-5">
            <ProductEnding product={product} />
          </Card>
        </div>
        <div className="grid min-w-0 gap-6 xl:row-start-1">
          <Card className="p-5">
            <GalleryEditor product={product} />
          </Card>
          <Card className="p-5">
            <h2 className="mb-4 text-h3">Words</h2>
            <ProductForm product={product} />
          </Card>
        </div>
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Product", "The product could not be loaded");

/** The units in stock, with a link to change them. */
function StockLine({ product }: { product: AdminProduct }) {
  const units = (count: number) => count.toLocaleString("en-US");
  return (
    <section aria-labelledby="stock" className="grid gap-1">
      <h2 id="stock" className="text-h3">
        Stock
      </h2>
      <p className="text-small">
        {units(product.stock)} free to sell
        {product.reserved > 0 && `, ${units(product.reserved)} promised to orders that are being paid`}.
      </p>
      <p>
        <Link
          className="link inline-flex min-h-11 items-center text-small"
          to={`/admin/products/${product.id}/stock`}
        >
          Change stock, batches, history
        </Link>
      </p>
    </section>
  );
}
