import { AsyncLocalStorage } from "node:async_hooks";

/** A request, or one attempt of a job. */
type Work = { ids: { requestId: string } | { job: string; jobId: string }; orders: Set<string> };

/** Maximum number of orders named in a log line; further ones are left out. */
const maxOrders = 20;
const running = new AsyncLocalStorage<Work>();

/** Runs a request or a job. Log entries within it contain its ids, and the ids of orders that it works on. */
export function runAsWork<T>(ids: Work["ids"], work: () => T): T {
  return running.run({ ids, orders: new Set() }, work);
}

/** Adds an order to the log entries and the span of the current work. */
export function recordOrderId(orderId: string): void {
  const orders = running.getStore()?.orders;
  if (orders && orders.size < maxOrders) orders.add(orderId);
}

/** The ids of the current work for a log entry: one order as `orderId`, several as `orderIds`. Always a new object. */
export function workIds(): Record<string, unknown> {
  const work = running.getStore();
  if (!work) return {};
  const [orderId, second] = work.orders;
  if (orderId === undefined) return { ...work.ids };
  return second === undefined ? { ...work.ids, orderId } : { ...work.ids, orderIds: [...work.orders] };
}

export function workAttributes(): Record<string, string | string[]> {
  const orders = [...(running.getStore()?.orders ?? [])];
  const [orderId] = orders;
  if (orderId === undefined) return {};
  return orders.length === 1 ? { "order.id": orderId } : { "order.ids": orders };
}

/** The id of the current request; null in jobs and commands. */
export function runningRequestId(): string | null {
  const ids = running.getStore()?.ids;
  return ids && "requestId" in ids ? ids.requestId : null;
}
