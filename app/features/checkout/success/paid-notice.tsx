import Check from "lucide-react/icons/check";
import { useEffect, useRef } from "react";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Icon } from "../../../ui/icon.tsx";

/** Between the payment and the success page. */
export function PaidNotice({ cents }: { cents: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div role="status" className="grid justify-items-start gap-4 py-6">
      <span className="grid size-14 place-items-center rounded-full bg-success-bg text-success">
        <Icon glyph={Check} size="large" />
      </span>
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        Payment successful
      </h2>
      <p className="text-lead text-ink-muted">
        Your payment of {formatCents(cents)} went through. Taking you to your order.
      </p>
    </div>
  );
}
