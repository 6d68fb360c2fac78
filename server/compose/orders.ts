import { orderActionsApi } from "../orders/actions-api.ts";
import { orderListApi } from "../orders/admin-list-api.ts";
import { readAdminOrder } from "../orders/admin-order.ts";
import { adminOrderApi } from "../orders/admin-order-api.ts";
import { ordersApi } from "../orders/api.ts";
import { forgetOldBrowsers } from "../orders/forget.ts";
import { fulfilmentApi } from "../orders/fulfilment-api.ts";
import { buyerAddress, forgetLookups, lookupTask } from "../orders/lookup.ts";
import { forgetUnpaidOrders } from "../orders/personal-data.ts";
import { announceLookup } from "../outbox/commands.ts";
import { cancelOrder } from "../payments/cancel-order.ts";
import { ownerPaymentsApi } from "../payments/owner-api.ts";
import { withdrawFromOrder } from "../payments/withdraw.ts";
import { knownAddress } from "../privacy/person.ts";
import type { Area, AreaParts } from "./area.ts";

/** What a buyer and what the owner does with an order. */
export function ordersArea({ checkout, db, now, settings, shop }: AreaParts): Area {
  const owners = { ...checkout, adminOrder: (orderId: string) => readAdminOrder(checkout, orderId) };
  return {
    api: [
      ...ordersApi({
        db,
        now,
        ordersOf: shop.ordersOf,
        orderFor: (viewer, orderId) => shop.orderFor(viewer, orderId, null),
        orderByPayment: shop.paidOrder,
      }),
      ...orderListApi({ db, now, ownerSettings: settings.owner, mode: checkout.provider.mode }),
      ...orderActionsApi({
        ...checkout,
        orderOfBuyer: shop.orderOfBuyer,
        cancel: (orderId) => cancelOrder(checkout, orderId),
        withdraw: (statement) => withdrawFromOrder(checkout, statement),
      }),
      ...adminOrderApi(owners),
      ...ownerPaymentsApi(owners),
      ...fulfilmentApi(owners),
    ],
    tasks: [
      lookupTask({
        db,
        now,
        knownAs: { orders: buyerAddress, export: knownAddress, deletion: knownAddress },
        send: announceLookup,
      }),
    ],
    forgetters: [forgetLookups, forgetOldBrowsers, (tx, at) => forgetUnpaidOrders(tx, at, settings.shop)],
  };
}
