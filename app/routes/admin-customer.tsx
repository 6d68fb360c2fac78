import { isRouteErrorResponse } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { CustomerView } from "../features/admin/customers/customer-view.tsx";
import { AdminPage, AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import type { Route } from "./+types/admin-customer";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, args.loaderData?.name || "Customer");

export const loader = adminLoader(
  async ({ params: { id } }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/customers/:id", { params: { id } })).data,
);

export default function AdminCustomer({ loaderData: customer }: Route.ComponentProps) {
  return <CustomerView key={customer.id} customer={customer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || (error.status !== 404 && error.status !== 422)) {
    return <AdminProblem page="Customer" title="Failed to load the customer" />;
  }
  return (
    <AdminPage title="Customer not found" back={{ to: "/admin/customers", label: "Customers" }}>
      <p className="mb-5 text-ink-muted">They may have been deleted at their own request.</p>
      <ButtonLink variant="secondary" size="small" to="/admin/customers">
        All customers
      </ButtonLink>
    </AdminPage>
  );
}
