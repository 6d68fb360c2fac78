import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Batches concurrent calls: those made while a batch runs form the next one, of at most `maxItems`, without a timer. `work`
 * returns results in the order of its items. If it throws, it runs again for each item alone, so that a bad item does not
 * fail the others.
 */
export function batchCalls<In, Out>(
  maxItems: number,
  work: (items: In[]) => Promise<Out[]>,
): (item: In) => Promise<Out> {
  type Waiting = { item: In; resolve(out: Out): void; reject(error: unknown): void };
  let queue: Waiting[] = [];
  let isRunning = false;

  async function runGroup(group: Waiting[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        if (index in results) resolve(results[index] as Out);
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
