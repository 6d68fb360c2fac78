import type { AdminOrderRow } from "../../../../domain/admin-orders.ts";
import type { Column } from "../kit/data-table.tsx";

/** A box in front of every row that can be shipped, and one above them for all. */
export function selectColumn({
  rows,
  chosen,
  onChange,
}: {
  rows: AdminOrderRow[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}): Column<AdminOrderRow> {
  const ids = rows.filter(({ delivery }) => delivery === "to_ship").map(({ orderId }) => orderId);
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id));
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return {
    key: "select",
    phone: "max-md:col-span-2 max-md:row-start-5",
    header: (
      <Box
        label="Choose all on this page"
        checked={isAll}
        onChange={(isChosen) => onChange(new Set(isChosen ? ids : []))}
      />
    ),
    cell: ({ orderId, number, delivery }) =>
      delivery === "to_ship" && (
        <Box
          label={`Choose order #${number}`}
          words="Choose to ship"
          checked={chosen.has(orderId)}
          onChange={(isChosen) => toggle(orderId, isChosen)}
        />
      ),
  };
}

/** `words` stand beside it on phones, where it has no column. */
function Box({
  label,
  words,
  checked,
  onChange,
}: {
  label: string;
  words?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="-m-3 inline-flex min-h-11 min-w-11 cursor-pointer items-center gap-2.5 p-3 max-md:m-0 max-md:px-0">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 accent-forest-800"
      />
      {words && (
        <span aria-hidden="true" className="text-small md:hidden">
          {words}
        </span>
      )}
    </label>
  );
}
