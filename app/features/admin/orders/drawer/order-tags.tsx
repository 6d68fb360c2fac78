import X from "lucide-react/icons/x";
import { useState } from "react";
import { Link } from "react-router";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { orderTagMax, orderTagsMax } from "../../../../../domain/orders/order-tags.ts";
import { Button } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMay } from "../../rights.ts";
import { DrawerSection } from "./drawer-section.tsx";

/** Words of the panel's own by which orders are found again; each leads to the orders that have it. */
export function OrderTags({ order: { id, tags } }: { order: AdminOrder }) {
  const [text, setText] = useState("");
  const mayTag = useMay("PATCH /api/admin/orders/:id/tags");
  const { busy, problem, fields, run } = useAdminAction("PATCH /api/admin/orders/:id/tags", {
    failure: "The tags were not saved",
  });
  const change = (body: { add?: string[]; remove?: string[] }) => run({ params: { id }, body });

  async function add() {
    const more = text.split(",").filter((part) => part.trim() !== "");
    if (busy || more.length === 0) return;
    if ((await change({ add: more })).ok) setText("");
  }
  const [error] = Object.values(fields);
  if (!mayTag && tags.length === 0) return null;
  return (
    <DrawerSection title="Tags">
      {tags.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex min-h-11 items-center rounded-full bg-cream px-3.5 text-small font-medium"
            >
              <Link
                to={`/admin/orders?${new URLSearchParams({ status: "all", tag })}`}
                className="wrap-anywhere"
              >
                {tag}
              </Link>
              {mayTag && (
                <button
                  type="button"
                  disabled={busy}
                  aria-label={`Take the tag ${tag} off`}
                  className="-mr-3.5 grid size-11 place-items-center"
                  onClick={() => void change({ remove: [tag] })}
                >
                  <Icon glyph={X} size="small" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayTag && (
        <form
          className="grid grid-cols-[1fr_auto] items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Field
            label="New tag"
            name="order-tag"
            autoComplete="off"
            maxLength={orderTagMax}
            value={text}
            error={error ?? (problem?.status === 409 ? problem.message : undefined)}
            readOnly={busy}
            onChange={(event) => setText(event.target.value)}
          />
          <Button
            type="submit"
            variant="secondary"
            size="small"
            className="min-h-12.5"
            busy={busy}
            busyText="Saving..."
            disabled={text.trim() === "" || tags.length >= orderTagsMax}
          >
            Add
          </Button>
        </form>
      )}
    </DrawerSection>
  );
}
