import PackageCheck from "lucide-react/icons/package-check";
import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ShipNext } from "../features/admin/orders/ship-next.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/admin-ship-next";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Ship next");

/** `?after=<id>`: id of a skipped order; shows the next order placed after it. */
export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const after = uuidParam(request, "after");
  const { data } = await read("GET /api/admin/packing", { query: { after } });
  return { ...data, hasSkipped: after !== undefined };
});

export default function AdminShipNext({ loaderData: { next, waiting, hasSkipped } }: Route.ComponentProps) {
  const count = waiting >= 100 ? "100 or more orders" : waiting === 1 ? "1 order" : `${waiting} orders`;
  return (
    <AdminPage title="Ship next" back={{ to: "/admin/orders?status=to_ship", label: "Orders to ship" }}>
      {next ? (
        <>
          <p className="mb-4 text-ink-muted" role="status">
            {count} to ship, the oldest first
          </p>
          <ShipNext key={`${next.id} ${next.shipments.length}`} order={next} />
        </>
      ) : (
        <EmptyState
          boxed
          glyph={PackageCheck}
          title={hasSkipped && waiting > 0 ? "That was the last one" : "Nothing to ship"}
          action={
            hasSkipped && waiting > 0 ? (
              <ButtonLink variant="secondary" size="small" to="/admin/ship-next">
                Back to those skipped
              </ButtonLink>
            ) : undefined
          }
        >
          <p>
            {hasSkipped && waiting > 0
              ? `${count} that you skipped still ${waiting === 1 ? "waits" : "wait"}.`
              : "Every paid order has left. New ones appear here as soon as they are paid."}
          </p>
        </EmptyState>
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Ship next", "The next order could not be loaded");
