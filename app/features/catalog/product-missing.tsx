import PackageX from "lucide-react/icons/package-x";
import { useRouteLoaderData } from "react-router";
import type { loader as rootLoader } from "../../root.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** In place of a product that never was, or that was taken off the shelf. */
export function ProductMissing({ isWithdrawn }: { isWithdrawn: boolean }) {
  const [instead] = useRouteLoaderData<typeof rootLoader>("root")?.products ?? [];
  return (
    <EmptyState
      glyph={PackageX}
      heading="h1"
      title="Product Not Found"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink to="/">Return to Home</ButtonLink>
          {instead && (
            <ButtonLink to={`/product/${instead.slug}`} variant="secondary">
              {instead.name}
            </ButtonLink>
          )}
        </div>
      }
    >
      Sorry, the product you're looking for doesn't exist or has been removed.
      {isWithdrawn && " Orders placed for it are not affected."}
    </EmptyState>
  );
}
