import { data, useRouteLoaderData } from "react-router";
import mark from "../../assets/brand/mark.svg";
import type { loader as rootLoader } from "../root.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/not-found";

export function loader() {
  return data(null, { status: 404 });
}

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "404 Page Not Found");

export default function NotFound() {
  const frame = useRouteLoaderData<typeof rootLoader>("root");
  const product = frame?.products[0];
  return (
    <div className="wrap grid justify-items-center gap-4 py-(--empty-page) text-center">
      <img src={mark} width={64} height={64} alt="" className="opacity-90" />
      <h1>404 Page Not Found</h1>
      <p className="max-w-120 text-lead text-balance text-ink-muted">
        This page has moved or never existed. Check the address, or start over from the home page.
      </p>
      <div className="grid gap-3 sm:flex">
        <ButtonLink to="/">Return to Home</ButtonLink>
        {product && (
          <ButtonLink variant="secondary" to={`/product/${product.slug}`}>
            {product.name}
          </ButtonLink>
        )}
      </div>
      {frame?.isDevelopment && (
        <p className="text-small text-ink-muted">Did you forget to add the page to app/routes.ts?</p>
      )}
    </div>
  );
}
