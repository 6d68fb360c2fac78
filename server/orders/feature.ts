import type { Feature } from "../feature.ts";
import { orderActionsApi } from "../order-desk/actions-api.ts";
import { orderFiltersApi } from "../order-desk/admin/filters-api.ts";
import { orderListApi } from "../order-desk/admin/list-api.ts";
import { adminOrderApi } from "../order-desk/admin/order-api.ts";
import { ordersApi } from "../order-desk/api.ts";
import { orderChangeMail } from "../order-desk/change-mail.ts";
import { orderEditingApi } from "../order-desk/editing/api.ts";
import { fulfilmentApi } from "../order-desk/fulfilment/api.ts";
import { orderItemsApi } from "../order-desk/items/api.ts";
import { ownChangeApi, payChangeApi } from "../order-desk/items/pay-api.ts";
import { addUpEverySeconds, orderCountsTask } from "./counts.ts";
import { lookupTask, purgeLookups } from "./lookup.ts";
import { orderMail } from "./mail.ts";
import { purgeUnpaidOrders } from "./personal-data.ts";
import { detachExpiredVisitors } from "./purge.ts";

/** What a buyer and what the owner does with an order. */
export const ordersFeature = {
  api: [
    ...ordersApi,
    ...orderListApi,
    ...orderFiltersApi,
    ...orderActionsApi,
    ...adminOrderApi,
    ...fulfilmentApi,
    ...orderEditingApi,
    ...orderItemsApi,
    ...payChangeApi,
    ...ownChangeApi,
  ],
  tasks: (ctx) => [lookupTask(ctx)],
  cron: (ctx) => [{ task: orderCountsTask(ctx), everySeconds: addUpEverySeconds }],
  mail: { ...orderMail, ...orderChangeMail },
  purges: [purgeLookups, detachExpiredVisitors, purgeUnpaidOrders],
} satisfies Feature;
