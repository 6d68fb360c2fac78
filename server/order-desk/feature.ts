import type { Feature } from "../feature.ts";
import { closeEditPaymentJob } from "../payments/job-kinds.ts";
import { task } from "../platform/jobs/jobs.ts";
import { orderActionsApi } from "./actions-api.ts";
import { orderFiltersApi } from "./admin/filters-api.ts";
import { orderListApi } from "./admin/list-api.ts";
import { adminOrderApi } from "./admin/order-api.ts";
import { ordersApi } from "./api.ts";
import { orderChangeMail } from "./change-mail.ts";
import { dataLinksApi } from "./data-links-api.ts";
import { orderEditingApi } from "./editing/api.ts";
import { orderEditsApi } from "./edits/api.ts";
import { ownEditApi, payEditApi } from "./edits/pay-api.ts";
import { closeEditPayment, endExpiredEdits, refreshEditPayments } from "./edits/payment.ts";
import { settleEdit } from "./edits/settle.ts";
import { endUnpayableEdit } from "./edits/waiting-edit.ts";
import { fulfilmentApi } from "./fulfilment/api.ts";
import { orderDeskPersonalData } from "./personal-data.ts";
import { ownerPaymentsApi } from "./refunds/api.ts";

export const orderDeskFeature = {
  api: [
    ...ordersApi,
    ...dataLinksApi,
    ...orderListApi,
    ...orderFiltersApi,
    ...orderActionsApi,
    ...adminOrderApi,
    ...fulfilmentApi,
    ...orderEditingApi,
    ...orderEditsApi,
    ...payEditApi,
    ...ownEditApi,
    ...ownerPaymentsApi,
  ],
  tasks: (ctx) => [task(closeEditPaymentJob, ({ changeId }) => closeEditPayment(ctx, changeId))],
  mail: orderChangeMail,
  paymentHooks: {
    settleEdit: settleEdit,
    onRefundsChanged: endUnpayableEdit,
    onReconcile: refreshEditPayments,
    onExpiryRun: endExpiredEdits,
  },
  personalData: orderDeskPersonalData,
} satisfies Feature;
