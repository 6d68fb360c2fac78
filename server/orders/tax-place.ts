import { sql } from "drizzle-orm";
import { countryName } from "../../domain/shared/country.ts";
import type { Db } from "../platform/database/database.ts";
import { orders, type TaxPlace } from "./tables.ts";

/** The place that the tax of an order `o` is owed to, wherever it was sent since it was paid, as the columns of a `TaxPlace`. */
export const taxPlaceColumns = sql.raw(
  "coalesce(o.taxed_for, o.shipping)->>'country' as country, nullif(coalesce(o.taxed_for, o.shipping)->>'state', '') as state",
);

/** Of one order. Throws if it is not there. */
export async function readTaxPlace(tx: Db, orderId: string): Promise<TaxPlace> {
  const { rows } = await tx.execute<TaxPlace>(
    sql`select ${taxPlaceColumns} from ${orders} as o where o.id = ${orderId}`,
  );
  const [place] = rows;
  if (!place) throw new Error(`order ${orderId} is not there`);
  return place;
}

/** "TX, United States"; empty where nothing is known. */
export function taxPlaceName({ country, state }: TaxPlace): string {
  if (country === null) return "";
  const name = countryName(country) ?? country;
  return state ? `${state}, ${name}` : name;
}
