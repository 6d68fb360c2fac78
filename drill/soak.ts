import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readMemory } from "../bench/processes.ts";
import { readMetric, type Site } from "./site.ts";

const sampleEveryMs = 5_000;
/** Growth below this share, plus the series' own noise, is ignored. */
const noiseShare = 0.1;

/** A measurement that must not grow over time. `noise`: normal variation, in the unit of the values. */
export type Series = { name: string; unit: string; noise: number; values: number[] };

/** Lets the shop sell for `minutes`; returns measurements, oldest first. */
export async function soak(site: Site, minutes: number): Promise<Series[]> {
  const series = new Map<string, Series>();
  const record = (name: string, unit: string, noise: number, value: number) => {
    const current = series.get(name) ?? { name, unit, noise, values: [] };
    current.values.push(value);
    series.set(name, current);
  };
  for (
    const end = performance.now() + 60_000 * minutes;
    performance.now() < end;
    await delay(sampleEveryMs)
  ) {
    for (const shop of site.shops) {
      const pid = shop.pid();
      if (pid === null) throw new Error(`${shop.name} has ended:\n${shop.output()}`);
      const [heap = 0] = await readMetric(shop, "nodejs_heap_size_used_bytes");
      record(`${shop.name}: heap`, "MB", 24, heap / 1e6);
      record(`${shop.name}: memory`, "MB", 24, readMemory(pid)?.rssMb ?? 0);
      record(`${shop.name}: files and sockets`, "", 8, countOpenFiles(pid));
    }
    const [database] = await site.cluster.primary().query<Record<string, number>>(`
      select (select count(*)::int from pg_stat_activity where datname = 'palmira') as connections,
        (select count(*)::int from jobs) as jobs,
        pg_total_relation_size('jobs')::float / 1e6 as queue,
        (select sum(pg_total_relation_size(oid))::float / 1e6 from pg_class
          where relkind = 'r' and relpersistence = 'u') as unlogged`);
    record("connections to the database", "", 4, database?.connections ?? 0);
    record("jobs", "", 20, database?.jobs ?? 0);
    record("table of the queue", "MB", 2, database?.queue ?? 0);
    record("tables that are not logged", "MB", 2, database?.unlogged ?? 0);
  }
  return [...series.values()];
}

/**
 * Whether the values grew by more than noise. Compares the lowest values of the second, third and last quarter, since a heap grows between
 * collections and the first quarter warms up.
 */
export function isGrowing({ values, noise }: Series): boolean {
  const [second = 0, third = 0, last = 0] = lowestByQuarter(values);
  return last > third && third > second && last - second > noise + noiseShare * second;
}

export function lowestByQuarter(values: readonly number[]): number[] {
  const quarter = Math.floor(values.length / 4);
  return [1, 2, 3].map((turn) => Math.min(...values.slice(turn * quarter, (turn + 1) * quarter)));
}

/** Number of open files and sockets; 0 without /proc. */
function countOpenFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
