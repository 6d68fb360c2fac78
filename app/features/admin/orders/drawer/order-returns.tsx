import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { isOpen, type OrderReturn } from "../../../../../domain/orders/order-return.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { May } from "../../may.tsx";
import { DrawerSection } from "./drawer-section.tsx";
import { ReturnAnswer } from "./return-answer.tsx";

/** The buyer's return requests: the open one with its possible answers, then the earlier ones. */
export function OrderReturns({ order: { returns, may } }: { order: AdminOrder }) {
  if (returns.length === 0) return null;
  return (
    <DrawerSection title="Returns">
      <ul className="grid gap-3">
        {[...returns].reverse().map((request) => (
          <li key={request.id} className="rounded-md border border-line bg-surface p-4">
            <ReturnFacts request={request} />
            {isOpen(request) && (
              <May call="PATCH /api/admin/returns/:id">
                <ReturnAnswer request={request} canRefund={may.refund} />
              </May>
            )}
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}

const badges = {
  requested: { label: "Waits for you", tone: "yellow" },
  approved: { label: "Approved", tone: "blue" },
  declined: { label: "Declined", tone: "red" },
  closed: { label: "Closed", tone: "cream" },
} as const;

function ReturnFacts({ request: { kind, status, reason, answer, requestedAt } }: { request: OrderReturn }) {
  const { label, tone } = badges[status];
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-2 text-ui">
        <span>
          <b className="font-medium">{kind === "withdrawal" ? "Withdrawal" : "Return"}</b>{" "}
          <span className="text-small text-ink-muted">
            <ShortDay iso={requestedAt} withTime />
          </span>
        </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {reason && <p className="mt-2 text-ui wrap-anywhere whitespace-pre-wrap">“{reason}”</p>}
      {answer && (
        <p className="mt-2 text-small wrap-anywhere whitespace-pre-wrap text-ink-muted">
          Your answer: {answer}
        </p>
      )}
    </>
  );
}
