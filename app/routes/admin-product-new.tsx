import { adminLoader } from "../features/admin/admin-data.ts";
import { NewProductForm } from "../features/admin/catalog/new-product-form.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-product-new";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Add product");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  await read("GET /api/admin/counts");
  return {};
});

export default function AdminProductNew() {
  return (
    <AdminPage title="Add product" back={{ to: "/admin/products", label: "Manage Products" }}>
      <NewProductForm />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Add product", "The form could not be loaded");
