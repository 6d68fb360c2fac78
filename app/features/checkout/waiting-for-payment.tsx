import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import Clock from "lucide-react/icons/clock";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import type { OrderStatus } from "../../../domain/order-status.ts";
import { Button, ButtonLink, Spinner } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { callApi } from "../api.ts";

/** Asks so often in all: with the growing pauses of `pauseBefore`, about two minutes. */
const asksMax = 20;

/** The payment is being processed: asks until that changes, and says so when it takes too long. */
export function WaitingForPayment({ sessionId }: { sessionId: string }) {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <Waiting sessionId={sessionId} />
    </QueryClientProvider>
  );
}

function Waiting({ sessionId }: { sessionId: string }) {
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState(0);
  const { data: status } = useQuery({
    queryKey: ["order-status", sessionId],
    queryFn: async (): Promise<OrderStatus | null> => {
      setAsked((count) => count + 1);
      const path = `/api/order-details?session_id=${encodeURIComponent(sessionId)}`;
      const answer = await callApi<{ status: OrderStatus }>("GET", path);
      return answer.ok ? answer.body.status : null;
    },
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < asksMax ? pauseBefore(state.dataUpdateCount) : false,
    refetchOnWindowFocus: true,
  });
  const hasMoved = status != null && status !== "pending";
  useEffect(() => {
    if (hasMoved) void revalidate();
  }, [hasMoved, revalidate]);

  if (asked >= asksMax && !hasMoved) {
    return (
      <EmptyState
        glyph={Clock}
        heading="h1"
        title="Your payment is still being processed"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button onClick={() => window.location.reload()}>Check again</Button>
            <ButtonLink to="/orders" variant="secondary">
              View My Orders
            </ButtonLink>
          </div>
        }
      >
        Some payment methods take longer. You don’t have to pay again: we send an email as soon as the payment
        has arrived, and your order is under My Orders.
      </EmptyState>
    );
  }
  return (
    <div role="status" className="grid justify-items-center gap-4 px-5 py-32 text-center">
      <span className="flex scale-200 text-copper-600">
        <Spinner />
      </span>
      <h1 className="mt-2 text-h2">Processing your payment</h1>
      <p className="max-w-120 text-ink-muted">This takes a few seconds. Please keep this page open.</p>
    </div>
  );
}

/** 1 s at first, then longer, up to 8 s. */
function pauseBefore(asksDone: number): number {
  return Math.min(8000, 1000 * 1.3 ** asksDone);
}
