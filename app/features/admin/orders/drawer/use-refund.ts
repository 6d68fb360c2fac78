import { useRef } from "react";
import type { AdminOrder, Restock } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { callApi } from "../../../api.ts";
import { randomUuid } from "../../kit/random-uuid.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailWords } from "../../kit/use-mail-words.ts";

export type RefundRequest = { reason: string | null } & (
  | { amount: number; restock: Restock | null }
  | { items: { productId: number; quantity: number; restock: boolean }[]; shipping: number }
);

/**
 * Gives money back. The same wish sent again, because the first answer did not arrive, is the same refund: it keeps its
 * key until it has been answered or changed, or the order shows that something went back. Call it where it outlives the
 * form.
 */
export function useRefund({ id: orderId, refundableCents }: Pick<AdminOrder, "id" | "refundableCents">) {
  const { busy, problem, fields, perform } = useAdminAction("POST /api/admin/orders/:id/refund", {
    failure: null,
  });
  const mailWords = useMailWords();
  const sent = useRef<{ wish: string; key: string } | null>(null);

  async function refund(body: RefundRequest): Promise<boolean> {
    const wish = JSON.stringify([refundableCents, body]);
    if (sent.current?.wish !== wish) sent.current = { wish, key: randomUuid() };
    const headers = { "Idempotency-Key": sent.current.key };
    const answer = await perform(
      () =>
        callApi("POST /api/admin/orders/:id/refund", {
          params: { id: orderId },
          body,
          headers,
          timeoutMs: 60_000,
        }),
      {
        success: ({ data: { refund: made } }) =>
          made.status === "succeeded"
            ? {
                title: `Refunded ${formatCents(made.amount)}`,
                description: mailWords("The customer gets an email."),
              }
            : {
                title: `Refund of ${formatCents(made.amount)} is on its way`,
                description: "The payment provider has not confirmed it yet. The order shows when it has.",
              },
      },
    );
    // A definite answer ends this refund: the next one is a new refund, even for the same amount.
    const { status } = answer.ok ? { status: 200 } : answer.problem;
    if (status > 0 && status < 500) sent.current = null;
    return answer.ok;
  }

  return { busy, problem, fields, refund };
}
