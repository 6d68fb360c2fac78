import { useEffect, useState } from "react";
import { Link } from "react-router";
import { shownCompareAt, stockShownUpTo } from "../../domain/catalog/product.ts";
import type { AdminProduct } from "../../domain/catalog/product-admin.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import {
  draftKey,
  type EditedTexts,
  productTexts,
  savedValues,
} from "../features/admin/catalog/product-values.ts";
import { LockedPanel } from "../features/admin/front-door.tsx";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { readEdits, rebase } from "../features/admin/kit/saved-form/use-saved-form.ts";
import { isOil, productTerms } from "../features/catalog/product-terms.ts";
import { ProductView } from "../features/catalog/product-view.tsx";
import { ProductUsage } from "../features/catalog/usage-steps.tsx";
import { usageSteps } from "../features/catalog/usage-text.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import type { Route } from "./+types/admin-product-preview";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Preview");

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

/** Returns null if the panel is locked. */
export const loader = adminLoader(async ({ params, context }: Route.LoaderArgs, read) => {
  const { data: product } = await read("GET /api/admin/products/:id", { params });
  const shop = context.get(shopContext);
  const [settings, orderDay, hero] = await Promise.all([
    shop.settings(),
    shop.orderDay(),
    shop.heroProduct(),
  ]);
  return { product, terms: productTerms(settings, product, { isBatana: isOil(product, hero), orderDay }) };
});

/**
 * The product's page as shoppers would see it, with unsaved texts. It is outside the panel's frame, because it needs
 * the full width.
 */
export default function AdminProductPreview({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <LockedPanel />;
  return <Preview {...loaderData} />;
}

function Preview({ product, terms }: NonNullable<Route.ComponentProps["loaderData"]>) {
  const unsavedTexts = useUnsavedTexts(product);
  const texts = unsavedTexts ?? productTexts(savedValues(product).values);
  const preview = {
    ...product,
    ...texts,
    family: product.family && {
      ...product.family,
      name: texts.name,
      sizes: product.family.sizes.filter(({ id, published }) => published || id === product.id),
    },
    benefits: texts.benefits.filter((benefit) => benefit.trim() !== ""),
    images: product.images.filter(({ status }) => status === "ready"),
    compareAtPrice: shownCompareAt(product.price, product.compareAtPrice),
    stock: product.stock <= stockShownUpTo ? product.stock : null,
  };
  const steps = usageSteps(preview.usage);
  return (
    <>
      <PreviewBar product={product} isDraft={unsavedTexts !== null} />
      <main id="main" tabIndex={-1} className="pb-16 outline-none">
        <ProductView product={preview} terms={terms} isPreview />
        {steps.length > 0 && <ProductUsage steps={steps} picture={terms.pictures.usage} />}
      </main>
    </>
  );
}

/** The unsaved texts of the form in this browser; null if there are none. */
function useUnsavedTexts(product: AdminProduct): EditedTexts | null {
  const [unsavedTexts, setUnsavedTexts] = useState<EditedTexts | null>(null);
  useEffect(() => {
    const saved = savedValues(product);
    const draft = readEdits(draftKey(product.id), saved.values);
    setUnsavedTexts(draft && productTexts(rebase(draft, saved).edits.values));
  }, [product]);
  return unsavedTexts;
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return (
    <main id="main" className="wrap py-10">
      <AdminProblem page="Preview" title="The preview could not be loaded" />
    </main>
  );
}

/** States that this is a preview, and how it differs from the shop. */
function PreviewBar({ product, isDraft }: { product: AdminProduct; isDraft: boolean }) {
  return (
    <header className="on-dark sticky top-0 z-(--z-sticky) flex flex-wrap items-center justify-between gap-x-6 gap-y-1 bg-forest-800 px-(--gutter) py-2 text-small text-ink-on-dark">
      <p>
        <strong className="font-semibold">Preview</strong>:{" "}
        {isDraft ? "with your unsaved changes" : product.published ? "as shoppers see it" : "hidden"}. Nothing
        can be bought here.
      </p>
      <Link
        className="inline-flex min-h-11 items-center underline underline-offset-[.25em]"
        to={`/admin/products/${product.id}`}
      >
        Back to editing
      </Link>
    </header>
  );
}
