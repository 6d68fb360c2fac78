import { Link } from "react-router";
import type { Overview } from "../../../../domain/sales/overview.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/** The newest message that waits for an answer. */
export function LatestMessage({ message }: { message: Overview["latestMessage"] }) {
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">Latest message</h2>
      {message === null ? (
        <p className="mt-2 text-ink-muted">No message waits for an answer.</p>
      ) : (
        <>
          <p className="mt-2 text-small wrap-anywhere text-ink-muted">
            {message.name} · {message.about} · <ShortDay iso={message.createdAt} />
          </p>
          <p className="mt-2 line-clamp-4 wrap-anywhere whitespace-pre-line">{message.text}</p>
        </>
      )}
      <LinkArrow to={message === null ? "/admin/messages" : `/admin/messages/${message.id}`}>
        {message === null ? "Open inbox" : "Open message"}
      </LinkArrow>
    </Card>
  );
}

/** Products of which few are left. */
export function LowStock({ products }: { products: Overview["lowStock"] }) {
  if (products.length === 0) return null;
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">Low stock</h2>
      <ul className="mt-1.5">
        {products.map(({ productId, name, free }) => (
          <li key={productId} className="flex flex-wrap items-center justify-between gap-x-4">
            <Link
              to={`/admin/products/${productId}`}
              className="link inline-flex min-h-11 items-center wrap-anywhere"
            >
              {name}
            </Link>
            <Badge tone={free <= 0 ? "red" : "yellow"}>{free <= 0 ? "Sold out" : `${free} left`}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}
