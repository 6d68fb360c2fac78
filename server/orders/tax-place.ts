import { sql } from "drizzle-orm";
import { countryName } from "../../domain/shared/country.ts";
import type { Db } from "../platform/database/database.ts";
import { orders, type TaxPlace } from "./tables.ts";

/** Columns of the `TaxPlace` of an order `o`: the place to which its tax is owed, even if its address changed after payment. */
export const taxPlaceColumns = sql.raw(
  "coalesce(o.taxed_for, o.shipping)->>'country' as country, nullif(coalesce(o.taxed_for, o.shipping)->>'state', '') as state",
);

/** Throws if the order does not exist. */
export async function readTaxPlace(tx: Db, orderId: string): Promise<TaxPlace> {
  const { rows } = await tx.execute<TaxPlace>(
    sql`select ${taxPlaceColumns} from ${orders} as o where o.id = ${orderId}`,
  );
  const [place] = rows;
  if (!place) throw new Error(`order ${orderId} is missing`);
  return place;
}

/** "TX, United States"; empty if unknown. */
export function taxPlaceName({ country, state }: TaxPlace): string {
  if (country === null) return "";
  const name = countryName(country) ?? country;
  return state ? `${state}, ${name}` : name;
}
