import { sql } from "drizzle-orm";
import type { FollowUp } from "../../domain/orders/replacement.ts";
import { orders } from "../orders/tables.ts";
import { orderExchanges } from "./tables.ts";

/** The earlier order whose units the selected order replaces or was exchanged for; null if the selected one is no follow-up. */
export const followUpColumn = sql<FollowUp | null>`coalesce(
  (select json_build_object('kind', 'replacement', 'number', number) from ${orders} as first where first.id = orders.replaces_id),
  (select json_build_object('kind', 'exchange', 'number', first.number) from ${orderExchanges}
    join ${orders} as first on first.id = order_exchanges.order_id where order_exchanges.new_order_id = orders.id))`;
