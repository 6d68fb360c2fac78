import { adminLoader } from "../features/admin/admin-data.ts";
import { MenuEditor } from "../features/admin/content/menu-editor.tsx";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-content-menu";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Menu");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  // First, because this call checks the session.
  const { data: menu } = await read("GET /api/admin/menu");
  return { menu, versions: await read("GET /api/admin/menu/versions") };
});

export default function AdminContentMenu({ loaderData: { menu, versions } }: Route.ComponentProps) {
  return <MenuEditor saved={menu} versions={versions} />;
}

export function ErrorBoundary() {
  return <AdminProblem page="Menu" title="Failed to load the menu" />;
}
