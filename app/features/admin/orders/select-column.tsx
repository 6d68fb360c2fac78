import type { AdminOrderRow } from "../../../../domain/orders/admin-orders.ts";
import { ChoiceBox } from "../kit/choice-box.tsx";
import type { Column } from "../kit/data-table.tsx";
import type { Chosen } from "../kit/use-chosen.ts";

/** A box in front of every row that can be shipped, and one above them for all. */
export function selectColumn(chosen: Chosen): Column<AdminOrderRow> {
  return {
    key: "select",
    phone: "max-md:col-span-2 max-md:row-start-5",
    headed: true,
    header: (
      <ChoiceBox
        label="Choose all on this page"
        words={<span className="text-small md:hidden">Choose all on this page</span>}
        className="-m-3 max-md:m-0 max-md:px-0"
        checked={chosen.isAll}
        isPartly={chosen.ids.length > 0}
        onChange={chosen.toggleAll}
      />
    ),
    cell: ({ orderId, number, delivery }) =>
      delivery === "to_ship" && (
        <ChoiceBox
          label={`Choose order #${number}`}
          words={<span className="text-small md:hidden">Choose to ship</span>}
          className="-m-3 max-md:m-0 max-md:px-0"
          checked={chosen.has(orderId)}
          onChange={(isChosen) => chosen.toggle(orderId, isChosen)}
        />
      ),
  };
}
