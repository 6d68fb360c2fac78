import type { Feature } from "../feature.ts";
import { cancelOrder } from "../payments/cancellation/cancel-order.ts";
import { withdrawFromOrder } from "../payments/cancellation/withdraw.ts";
import { knownAddress } from "../privacy/person.ts";
import { orderActionsApi } from "./actions-api.ts";
import { orderListApi } from "./admin/list-api.ts";
import { readAdminOrder } from "./admin/order.ts";
import { adminOrderApi } from "./admin/order-api.ts";
import { ordersApi } from "./api.ts";
import { orderChangeMail } from "./change-mail.ts";
import { fulfilmentApi } from "./fulfilment/api.ts";
import { buyerAddress, forgetLookups, lookupTask } from "./lookup.ts";
import { enqueueLookup, orderMail } from "./mail.ts";
import { forgetUnpaidOrders } from "./personal-data.ts";
import { forgetOldBrowsers } from "./purge.ts";
import { viewerOrders } from "./viewer-orders.ts";

/** What a buyer and what the owner does with an order. */
export const ordersFeature = {
  api: (ctx) => {
    const { db, now, ownerSettings, provider } = ctx;
    const { ordersOf, orderFor, orderOfBuyer, paidOrder } = viewerOrders(ctx);
    const owners = { ...ctx, adminOrder: (orderId: string) => readAdminOrder(ctx, orderId) };
    return [
      ...ordersApi({
        db,
        now,
        ordersOf,
        orderFor: (viewer, orderId) => orderFor(viewer, orderId, null),
        orderByPayment: paidOrder,
      }),
      ...orderListApi({ db, now, ownerSettings, mode: provider.mode }),
      ...orderActionsApi({
        ...ctx,
        orderOfBuyer,
        cancel: (orderId) => cancelOrder(ctx, orderId),
        withdraw: (statement) => withdrawFromOrder(ctx, statement),
      }),
      ...adminOrderApi(owners),
      ...fulfilmentApi(owners),
    ];
  },
  tasks: ({ db, now }) => [
    lookupTask({
      db,
      now,
      knownAs: { orders: buyerAddress, export: knownAddress, deletion: knownAddress },
      send: enqueueLookup,
    }),
  ],
  mail: { ...orderMail, ...orderChangeMail },
  purges: [
    function purgeLookups({ db, now }) {
      return forgetLookups(db, now());
    },
    function purgeOldBrowsers({ db, now }) {
      return forgetOldBrowsers(db, now());
    },
    function purgeUnpaidOrders({ db, now, settings }) {
      return forgetUnpaidOrders(db, now(), settings);
    },
  ],
} satisfies Feature;
