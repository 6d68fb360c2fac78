import type { Feature } from "../feature.ts";
import { askAboutChanges, closeChangePayment, endDueChanges } from "../payments/changes/pay.ts";
import { settleChange } from "../payments/changes/settle.ts";
import { endUnpayableChange } from "../payments/changes/unpayable.ts";
import { closeChangePaymentJob } from "../payments/job-kinds.ts";
import { task } from "../platform/jobs/jobs.ts";
import { orderActionsApi } from "./actions-api.ts";
import { orderFiltersApi } from "./admin/filters-api.ts";
import { orderListApi } from "./admin/list-api.ts";
import { adminOrderApi } from "./admin/order-api.ts";
import { ordersApi } from "./api.ts";
import { orderChangeMail } from "./change-mail.ts";
import { orderEditingApi } from "./editing/api.ts";
import { fulfilmentApi } from "./fulfilment/api.ts";
import { orderItemsApi } from "./items/api.ts";
import { ownChangeApi, payChangeApi } from "./items/pay-api.ts";
import { ownerPaymentsApi } from "./refunds/api.ts";

/** What buyers and the people of the shop do with an order: see, edit, ship, cancel, return and refund it. */
export const orderDeskFeature = {
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
    ...ownerPaymentsApi,
  ],
  tasks: (ctx) => [task(closeChangePaymentJob, ({ changeId }) => closeChangePayment(ctx, changeId))],
  mail: orderChangeMail,
  paymentHooks: {
    settleEdit: settleChange,
    onRefundsChanged: endUnpayableChange,
    onReconcile: askAboutChanges,
    onExpiryRun: endDueChanges,
  },
} satisfies Feature;
