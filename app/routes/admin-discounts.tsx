import Plus from "lucide-react/icons/plus";
import { Outlet, useLocation } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { DiscountList } from "../features/admin/discounts/discount-list.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-discounts";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Discounts");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [{ data: discounts, nextCursor }, { data: settings }] = await Promise.all([
    read("GET /api/admin/discounts", { query: { cursor } }),
    read("GET /api/admin/settings"),
  ]);
  return { discounts, nextCursor, timeZone: settings.timeZone, now: new Date().toISOString() };
});

export default function AdminDiscounts({ loaderData }: Route.ComponentProps) {
  const { discounts, nextCursor, ...rest } = loaderData;
  const { search } = useLocation();
  return (
    <AdminPage
      title="Discounts"
      actions={
        discounts.length > 0 && (
          <ButtonLink size="small" to={{ pathname: "/admin/discounts/new", search }} preventScrollReset>
            <Icon glyph={Plus} size="small" /> New discount
          </ButtonLink>
        )
      }
    >
      <DiscountList discounts={discounts} search={search} {...rest} />
      {discounts.length > 0 && (
        <Pager nextCursor={nextCursor}>
          {discounts.length} {discounts.length === 1 ? "code" : "codes"}
        </Pager>
      )}
      <Outlet />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Discounts", "Failed to load discounts");
