import { AsyncLocalStorage } from "node:async_hooks";

/** A request, or one attempt of a job. */
type Work = { ids: { requestId: string } | { job: string; jobId: string }; orders: Set<string> };

/** Work on many orders names those it came to first: a line of the log has to end somewhere. */
const ordersMax = 20;
const running = new AsyncLocalStorage<Work>();

/** Runs a request or a job. Log entries within it have its ids, and those of orders it works on. */
export function runAsWork<T>(ids: Work["ids"], work: () => T): T {
  return running.run({ ids, orders: new Set() }, work);
}

/** Says that what runs here is about this order: its lines in the log and its span name it from now on. */
export function noteOrder(orderId: string): void {
  const orders = running.getStore()?.orders;
  if (orders && orders.size < ordersMax) orders.add(orderId);
}

/** The ids of what runs here, as a line of the log has them: one order is `orderId`, several are `orderIds`. Always a new object. */
export function workIds(): Record<string, unknown> {
  const work = running.getStore();
  if (!work) return {};
  const [orderId, second] = work.orders;
  if (orderId === undefined) return { ...work.ids };
  return second === undefined ? { ...work.ids, orderId } : { ...work.ids, orderIds: [...work.orders] };
}

/** As attributes of a span. */
export function workAttributes(): Record<string, string | string[]> {
  const orders = [...(running.getStore()?.orders ?? [])];
  const [orderId] = orders;
  if (orderId === undefined) return {};
  return orders.length === 1 ? { "order.id": orderId } : { "order.ids": orders };
}

/** The id of the request that runs here; null in a job, a command, and everywhere else. */
export function runningRequestId(): string | null {
  const ids = running.getStore()?.ids;
  return ids && "requestId" in ids ? ids.requestId : null;
}
