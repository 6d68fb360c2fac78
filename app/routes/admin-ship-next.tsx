import PackageCheck from "lucide-react/icons/package-check";
import { useState } from "react";
import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { ShipNext } from "../features/admin/orders/ship-next.tsx";
import {
  LastResult,
  PackingQueueList,
  type PackingResult,
  TaskBar,
} from "../features/admin/orders/ship-next-frame.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/admin-ship-next";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Ship next");

const queueLength = "8";

/** `?after=<id>`: id of a skipped order; shows the next order after it. */
export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const after = uuidParam(request, "after");
  const [{ data }, queue] = await Promise.all([
    read("GET /api/admin/packing", { query: { after } }),
    read("GET /api/orders", { query: { status: "to_ship", sort: "packing", limit: queueLength } }),
  ]);
  const labels =
    data.next && (await read("GET /api/admin/orders/:id/labels", { params: { id: data.next.id } }));
  const canBuyLabel = labels?.data.problem === null;
  return { ...data, queue: queue.data, hasSkipped: after !== undefined, canBuyLabel };
});

/** For packing one order after another, on the whole screen without the panel's menu. */
export default function AdminShipNext({
  loaderData: { next, position, waiting, queue, hasSkipped, canBuyLabel },
}: Route.ComponentProps) {
  const [lastResult, setLastResult] = useState<PackingResult | null>(null);
  const hasSkippedOrders = hasSkipped && waiting > 0;
  return (
    <>
      <TaskBar position={position} waiting={waiting} skipId={next?.id ?? null} />
      <div
        className={`mx-auto stack max-w-300 gap-4 px-(--gutter) pt-4 pb-[calc(var(--admin-bar-h)+2rem)] lg:pt-7 lg:pb-10 ${queue.length < 2 ? "*:mx-auto *:w-full *:max-w-190" : "lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-6"}`}
      >
        <div className="grid gap-4">
          <LastResult result={lastResult} onUndone={setLastResult} />
          {next ? (
            <ShipNext
              key={`${next.id} ${next.shipments.length}`}
              order={next}
              canBuyLabel={canBuyLabel}
              onDone={setLastResult}
            />
          ) : (
            <EmptyState
              boxed
              glyph={PackageCheck}
              title={hasSkippedOrders ? "That was the last one" : "Nothing to ship"}
              action={
                <ButtonLink
                  variant="secondary"
                  size="small"
                  to={hasSkippedOrders ? "/admin/ship-next" : "/admin/orders?status=to_ship"}
                >
                  {hasSkippedOrders ? "Back to skipped orders" : "Go to orders"}
                </ButtonLink>
              }
            >
              <p>
                {hasSkippedOrders
                  ? `${waiting === 1 ? "1 order that you skipped still waits" : `${waiting} orders that you skipped still wait`}.`
                  : "No paid orders are waiting. New ones appear here as soon as they are paid."}
              </p>
            </EmptyState>
          )}
        </div>
        <PackingQueueList orders={queue} currentId={next?.id ?? null} />
      </div>
    </>
  );
}

/** Outside the panel's frame, the error needs its own margin and a link away. */
export function ErrorBoundary() {
  return (
    <div className="mx-auto max-w-190 px-(--gutter) pt-4">
      <AdminProblem page="Ship next" title="The next order could not be loaded" />
      <ButtonLink variant="secondary" size="small" className="mt-4" to="/admin/orders">
        Go to orders
      </ButtonLink>
    </div>
  );
}
