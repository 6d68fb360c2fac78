import type { Feature } from "../feature.ts";
import { orderActionsApi } from "./actions-api.ts";
import { orderFiltersApi } from "./admin/filters-api.ts";
import { orderListApi } from "./admin/list-api.ts";
import { adminOrderApi } from "./admin/order-api.ts";
import { ordersApi } from "./api.ts";
import { orderChangeMail } from "./change-mail.ts";
import { addUpEverySeconds, orderCountsTask } from "./counts.ts";
import { orderEditingApi } from "./editing/api.ts";
import { fulfilmentApi } from "./fulfilment/api.ts";
import { orderItemsApi } from "./items/api.ts";
import { ownChangeApi, payChangeApi } from "./items/pay-api.ts";
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
