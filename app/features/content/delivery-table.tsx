import { useFacts } from "./facts-context.tsx";

/** All shipping options of checkout: a table, or cards on narrow screens. */
export function DeliveryTable() {
  const { delivery } = useFacts();
  return (
    <table className="w-full text-left text-base max-md:block md:[&_td]:py-2.5 md:[&_th]:py-2.5">
      <thead className="max-md:sr-only">
        <tr className="[&>th]:font-medium">
          <th scope="col">To</th>
          <th scope="col">Option</th>
          <th scope="col">Delivery</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {delivery.map(({ id, place, name, days, price, freeFrom }) => (
          <tr
            key={`${place} ${id}`}
            className="border-t border-line max-md:grid max-md:py-3 max-md:[&>*]:py-0.5 [&>td]:text-ink-muted"
          >
            <th scope="row" className="font-medium first-letter:uppercase">
              {place}
            </th>
            <td>{name}</td>
            <td>{days}</td>
            <td className="tabular-nums">
              {price}
              {freeFrom !== null && `, free over ${freeFrom}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
