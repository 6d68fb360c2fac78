import type { Gift } from "../../../domain/orders/order.ts";

/** Note and sender of a gift, as on its packing slip. */
export function GiftNote({ gift: { from, note }, className = "" }: { gift: Gift; className?: string }) {
  if (!from && !note) return null;
  return (
    <blockquote className={`border-l-3 border-gold-500 pl-4 wrap-anywhere ${className}`}>
      {note && (
        <p dir="auto" className="whitespace-pre-line">
          {note}
        </p>
      )}
      {from && (
        <p dir="auto" className="text-ink-muted">
          From {from}
        </p>
      )}
    </blockquote>
  );
}
