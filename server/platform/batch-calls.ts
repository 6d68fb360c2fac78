import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Batches concurrent calls without a timer: calls made while a batch runs form the next batch, of at most `maxItems`. `work`
 * returns results in the order of its items. If it throws, it runs again for each item alone, so that a bad item does not
 * fail the others.
 */
export function batchCalls<Item, Result>(
  maxItems: number,
  work: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  type PendingCall = { item: Item; resolve(result: Result): void; reject(error: unknown): void };
  let queue: PendingCall[] = [];
  let isRunning = false;

  async function runGroup(group: PendingCall[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        if (index in results) resolve(results[index] as Result);
        else reject(new Error("a batch returned too few results"));
      }
    } catch (error) {
      const [single] = group;
      if (group.length === 1) single?.reject(error);
      else await Promise.all(group.map((call) => runGroup([call])));
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    // Calls made in this turn of the event loop join the batch.
    await nextTurn();
    while (queue.length > 0) {
      const group = queue.slice(0, maxItems);
      queue = queue.slice(maxItems);
      await runGroup(group);
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!isRunning) void run();
    });
}
