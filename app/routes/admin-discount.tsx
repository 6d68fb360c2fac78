import { useLocation } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { DiscountDrawer } from "../features/admin/discounts/discount-drawer.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-discount";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData?.discount?.code ?? "New discount");

/** The id `new` opens the form of a new discount. */
export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const [discount, { data: settings }] = await Promise.all([
    params.id === "new" ? null : read("GET /api/admin/discounts/:id", { params: { id: params.id } }),
    read("GET /api/admin/settings"),
  ]);
  return { discount: discount?.data ?? null, timeZone: settings.timeZone };
});

export default function AdminDiscountPage({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation();
  return <DiscountDrawer key={params.id} {...loaderData} closeTo={`/admin/discounts${search}`} />;
}
