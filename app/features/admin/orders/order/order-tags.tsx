import { Link } from "react-router";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { orderTagMax, orderTagsMax } from "../../../../../domain/orders/order-tags.ts";
import { TagEditor } from "../../kit/tag-editor.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMayCall } from "../../rights.ts";
import { OrderCard } from "./order-card.tsx";

/** Internal tags of an order; each links to the list of orders that have it. */
export function OrderTags({ order: { id, tags } }: { order: AdminOrder }) {
  const mayTag = useMayCall("PATCH /api/admin/orders/:id/tags");
  const { busy, problem, fields, run } = useAdminAction("PATCH /api/admin/orders/:id/tags", {
    failure: "The tags were not saved",
  });
  const change = (body: { add?: string[]; remove?: string[] }) => run({ params: { id }, body });
  const [error] = Object.values(fields);
  if (!mayTag && tags.length === 0) return null;
  return (
    <OrderCard title="Tags">
      <TagEditor
        tags={tags}
        name="order-tag"
        lengthMax={orderTagMax}
        countMax={orderTagsMax}
        busy={busy}
        error={error ?? (problem?.status === 409 ? problem.message : undefined)}
        isReadOnly={!mayTag}
        show={(tag) => (
          <Link to={`/admin/orders?${new URLSearchParams({ status: "all", tag })}`} className="wrap-anywhere">
            {tag}
          </Link>
        )}
        onAdd={async (more) => (await change({ add: more })).ok}
        onRemove={(tag) => void change({ remove: [tag] })}
      />
    </OrderCard>
  );
}
