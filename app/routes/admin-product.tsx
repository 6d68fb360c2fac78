import ArrowLeft from "lucide-react/icons/arrow-left";
import ExternalLink from "lucide-react/icons/external-link";
import { Link, type ShouldRevalidateFunctionArgs } from "react-router";
import { type AdminProduct, productLimits } from "../../domain/catalog/product-admin.ts";
import { sizeBeside, sizedName } from "../../domain/catalog/size-name.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { Bundles } from "../features/admin/catalog/bundles.tsx";
import { GalleryEditor } from "../features/admin/catalog/gallery/gallery-editor.tsx";
import { PricePanel } from "../features/admin/catalog/price-panel.tsx";
import { ProductThumbnail } from "../features/admin/catalog/product-card.tsx";
import { ProductEditor, type ProductForm } from "../features/admin/catalog/product-editor.tsx";
import { ProductBadges } from "../features/admin/catalog/product-facts.tsx";
import { productFields, productTexts } from "../features/admin/catalog/product-values.ts";
import { HiddenNotice, ProductMenu } from "../features/admin/catalog/publishing.tsx";
import { ProductSizes } from "../features/admin/catalog/sizes/product-sizes.tsx";
import { TextsPanel } from "../features/admin/catalog/texts-panel.tsx";
import { backClass, problemPage } from "../features/admin/kit/admin-page.tsx";
import { productPage } from "../features/catalog/product-meta.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { orNull } from "../ui/use-form.ts";
import type { Route } from "./+types/admin-product";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Edit ${args.loaderData.product.name}` : "Edit product");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const [product, bundles, allProducts] = await Promise.all([
    read("GET /api/admin/products/:id", { params }),
    read("GET /api/admin/products/:id/bundles", { params }),
    read("GET /api/admin/products"),
  ]);
  return {
    product: product.data,
    bundles: bundles.data,
    joinableProducts: allProducts.data
      .filter(
        (candidate) =>
          candidate.id !== product.data.id && candidate.family === null && candidate.archivedAt === null,
      )
      .map(({ id, name, size }) => ({ id, name, size })),
    pictures: allProducts.data
      .filter(({ family }) => family !== null && family.id === product.data.family?.id)
      .map(({ id, images }) => ({
        id,
        images: images.filter(({ status }) => status === "ready").slice(0, 1),
      })),
  };
});

/** Switching tabs loads no data. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isOtherTab = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isOtherTab && defaultShouldRevalidate;
}

export default function AdminProductPage({
  loaderData: { product, bundles, joinableProducts, pictures },
}: Route.ComponentProps) {
  return (
    <div key={product.id} className="max-w-288">
      <ProductHead product={product} />
      <HiddenNotice product={product} />
      <ProductEditor
        product={product}
        panels={{
          texts: (form) => <TextsPanel product={product} form={form} />,
          pictures: (form) => (
            <>
              <Card className="p-4 sm:p-5">
                <GalleryEditor product={product} />
              </Card>
              <Video form={form} />
            </>
          ),
          price: (form) => <PricePanel product={product} form={form} />,
          sizes: () => (
            <div className="stack gap-4 xl:grid-cols-2 xl:items-start">
              <Card>
                <ProductSizes product={product} joinableProducts={joinableProducts} pictures={pictures} />
              </Card>
              <Card>
                <Bundles product={product} bundles={bundles} />
              </Card>
            </div>
          ),
          search: (form) => <SearchPanel product={product} form={form} />,
        }}
      />
    </div>
  );
}

export const ErrorBoundary = problemPage("Product", "The product could not be loaded");

/** Name, price, stock and state of the product, and the actions for the whole product. */
function ProductHead({ product }: { product: AdminProduct }) {
  const { name, size, price, stock, slug, published } = product;
  const facts = [
    sizeBeside({ name, size }),
    formatCents(price),
    `${stock.toLocaleString("en-US")} available`,
  ].filter(Boolean);
  return (
    <>
      <Link to="/admin/products" className={`${backClass} -mt-2 mb-1`}>
        <Icon glyph={ArrowLeft} size="small" /> Manage Products
      </Link>
      <div className="mb-4 flex items-start gap-4">
        <span className="shrink-0 [&_img]:h-20 [&_img]:w-16 [&>span]:h-20 [&>span]:w-16">
          <ProductThumbnail product={product} />
        </span>
        <div className="mr-auto grid min-w-0 gap-1.5">
          <h1 className="text-[clamp(1.625rem,1.4rem+1vw,2.25rem)] leading-[1.1] wrap-anywhere">{name}</h1>
          <p className="overflow-hidden text-small text-ink-muted tabular-nums">
            {/* Cuts off the dot before the first fact of a line. */}
            <span className="-ml-3 flex flex-wrap">
              {facts.map((fact) => (
                <span
                  key={fact}
                  className="before:inline-block before:w-3 before:text-center before:content-['·']"
                >
                  {fact}
                </span>
              ))}
            </span>
          </p>
          <span className="flex flex-wrap gap-2">
            {published && <Badge tone="green">Published</Badge>}
            <ProductBadges product={product} />
          </span>
        </div>
        <div className="flex shrink-0 items-center gap-2">
          {published && (
            <a
              className={`${buttonClass({ variant: "secondary", size: "small" })} max-lg:hidden!`}
              href={`/product/${slug}`}
              target="_blank"
              rel="noopener"
            >
              <Icon glyph={ExternalLink} size="small" /> View in shop
              <span className="sr-only"> in a new tab</span>
            </a>
          )}
          <ProductMenu product={product} />
        </div>
      </div>
    </>
  );
}

function Video({ form: { field, save } }: { form: ProductForm }) {
  return (
    <Card className="p-4 sm:p-5">
      <form noValidate onSubmit={save}>
        <Field
          {...field("videoUrl", orNull)}
          label={productFields.videoUrl.label}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={productLimits.videoUrl}
          hint="Address of an MP4 file, with https://. It is shown after the last picture, with the first one as its cover, and plays without sound when it is pressed."
        />
      </form>
    </Card>
  );
}

/** The tab with the product's slug and bar code numbers, beside a preview of its search result. */
function SearchPanel({ product, form }: { product: AdminProduct; form: ProductForm }) {
  const { values, field } = form;
  return (
    <div className="stack gap-4 xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start">
      <form noValidate onSubmit={form.save}>
        <Card className="grid gap-5 p-4 sm:p-5">
          <Field
            {...field("slug", (text) => text.toLowerCase().replaceAll(" ", "-"))}
            label={productFields.slug.label}
            required
            maxLength={productLimits.slug}
            autoCapitalize="none"
            spellCheck={false}
            hint={<SlugHint slug={values.slug} formerSlugs={product.formerSlugs} />}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              {...field("gtin", orNull)}
              label={productFields.gtin.label}
              inputMode="numeric"
              maxLength={40}
              hint="The digits below the bar code. Leave it empty if the bottle has none."
            />
            <Field
              {...field("mpn", orNull)}
              label={productFields.mpn.label}
              maxLength={productLimits.mpn}
              hint="Your own number for it, if it has no bar code."
            />
          </div>
        </Card>
        <button type="submit" hidden />
      </form>
      <SearchPreview
        product={{
          ...product,
          ...productTexts(values),
          name: product.family ? sizedName(values) : values.name,
        }}
      />
    </div>
  );
}

/** The page's title and description in search results and link previews. */
function SearchPreview({ product }: { product: AdminProduct }) {
  const { title, description, path } = productPage({ ...product, stock: null });
  return (
    <Card className="p-4 sm:p-5">
      <p className="mb-2 text-caption text-ink-muted">In search results</p>
      <p className="text-caption wrap-anywhere text-ink-muted">{path}</p>
      <p className="text-ui font-medium wrap-anywhere text-link">{title}</p>
      <p className="mt-1 text-small wrap-anywhere">{description}</p>
      <p className="mt-3 text-caption text-ink-muted">
        Title and description follow name, short description, size and price.
      </p>
    </Card>
  );
}

function SlugHint({ slug, formerSlugs }: { slug: string; formerSlugs: readonly string[] }) {
  return (
    <span className="wrap-anywhere">
      /product/{slug}. Lowercase letters, digits and hyphens.{" "}
      {formerSlugs.length > 0
        ? `These lead here too: ${formerSlugs.join(", ")}.`
        : "If you change it, the old address will still lead here."}
    </span>
  );
}
