import Package from "lucide-react/icons/package";
import SearchX from "lucide-react/icons/search-x";
import { ButtonLink } from "../../../../ui/button.tsx";
import { EmptyState } from "../../../../ui/empty-state.tsx";
import { orderLists } from "../order-labels.ts";

/** Stands where the rows would: what this list is for, or where else to look. */
export function NoOrders({
  status,
  q,
  isNarrowed,
}: {
  status: string | null;
  q: string | null;
  /** By days, country, product or tag. */
  isNarrowed: boolean;
}) {
  if (isNarrowed) {
    return (
      <EmptyState
        boxed
        glyph={SearchX}
        title="No order found"
        action={
          <ButtonLink variant="secondary" size="small" to={status === null ? "?" : `?status=${status}`}>
            Clear the filters
          </ButtonLink>
        }
      >
        <p>Nothing here fits all of these filters.</p>
      </EmptyState>
    );
  }
  if (q === null) {
    const list = orderLists.find(({ value }) => value === status) ?? orderLists[0];
    return (
      <EmptyState boxed glyph={Package} title={list?.title}>
        <p>{list?.hint}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      boxed
      glyph={SearchX}
      title="No order found"
      action={
        status !== "all" && (
          <ButtonLink variant="secondary" size="small" to={`?${new URLSearchParams({ status: "all", q })}`}>
            Search all orders
          </ButtonLink>
        )
      }
    >
      <p className="wrap-anywhere">
        Nothing here matches “{q}”. Search by name, email, phone, city, product, discount code, tracking or
        order number.
      </p>
    </EmptyState>
  );
}
