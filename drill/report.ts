import type { Call } from "./calls.ts";
import type { Findings } from "./checks.ts";
import { isGrowing, lowestByQuarter, type Series } from "./soak.ts";

/** Measurements of one trial; times in ms. */
export type Outcome = {
  name: string;
  /** Why the trial was skipped; null if it ran. */
  skipReason: string | null;
  orders: number;
  /** Calls that broke or got 5xx. */
  brokenCalls: readonly Call[];
  longestOutageMs: number;
  /** From the new primary's first response to the last 503; null without a failover. */
  failingAfterMs: number | null;
  cachesMs: number;
  /** From the end of the trouble until every server has run jobs and reports no degraded part. */
  recoveryMs: number;
  isGraceful: boolean;
  mayRepeatMail: boolean;
};

type Bounds = { cachesMs: number; failingAfterMs: number; recoveryMs: number };

/** Time limits for an otherwise idle machine. */
export const promisedBounds: Bounds = { cachesMs: 1_000, failingAfterMs: 2_000, recoveryMs: 30_000 };
/** Time limits for a busy machine, which may stall for seconds: there the drill fails because of errors, not of delays. */
export const generousBounds: Bounds = { cachesMs: 30_000, failingAfterMs: 30_000, recoveryMs: 90_000 };

/** One line per trial, then the errors. */
export function report(
  outcomes: readonly Outcome[],
  findings: Findings,
  bounds: Bounds,
): { lines: string[]; hasPassed: boolean } {
  const countIn = (errors: readonly { trial: string }[], name: string) =>
    errors.filter(({ trial }) => trial === name).length;
  let hasPassed = findings.problems.length + findings.lost.length + findings.doubled.length === 0;
  const header = [
    "trial",
    "orders",
    "lost",
    "doubled",
    "mail twice",
    "broken calls",
    "longest 503",
    "503 after",
    "caches",
    "workers",
    "verdict",
  ];
  const body = outcomes.map((outcome) => {
    const { name, skipReason } = outcome;
    if (skipReason !== null) return [name, "", "", "", "", "", "", "", "", "", `skipped: ${skipReason}`];
    const [lost, doubled] = [countIn(findings.lost, name), countIn(findings.doubled, name)];
    const repeatedMail = findings.repeatedMail.get(name) ?? 0;
    const faults = listFaults(outcome, bounds);
    if (repeatedMail > 0 && !outcome.mayRepeatMail) faults.push("mail twice");
    if (lost + doubled > 0) faults.push("lost or doubled");
    if (faults.length > 0) hasPassed = false;
    return [
      name,
      String(outcome.orders),
      String(lost),
      String(doubled),
      String(repeatedMail),
      String(outcome.brokenCalls.length),
      seconds(outcome.longestOutageMs),
      outcome.failingAfterMs === null ? "" : seconds(outcome.failingAfterMs),
      seconds(outcome.cachesMs),
      seconds(outcome.recoveryMs),
      faults.length > 0 ? `FAILED: ${faults.join(", ")}` : "passed",
    ];
  });
  const details = [
    ...findings.lost.map(({ description }) => `LOST: ${description}`),
    ...findings.doubled.map(({ description }) => `DOUBLED: ${description}`),
    ...findings.problems.map((problem) => `PROBLEM: ${problem}`),
    ...outcomes
      .filter(({ isGraceful }) => isGraceful)
      .flatMap(({ brokenCalls }) => brokenCalls.map(formatCall)),
  ];
  return { lines: [...table([header, ...body]), ...details.slice(0, 50)], hasPassed };
}

/** One line per measured series: its lowest value in each quarter, which must not keep growing. */
export function reportSeries(series: readonly Series[]): string[] {
  const header = ["lowest in each quarter", "second", "third", "last", "verdict"];
  const body = series.map((measurement) => {
    const { name, unit, values } = measurement;
    const lowest = lowestByQuarter(values).map((value) =>
      `${value.toFixed(unit === "" ? 0 : 1)} ${unit}`.trim(),
    );
    return [name, ...lowest, isGrowing(measurement) ? "GROWS" : "steady"];
  });
  return table([header, ...body]);
}

function listFaults(outcome: Outcome, bounds: Bounds): string[] {
  return [
    ...(outcome.cachesMs > bounds.cachesMs ? ["caches"] : []),
    ...(outcome.recoveryMs > bounds.recoveryMs ? ["workers"] : []),
    ...((outcome.failingAfterMs ?? 0) > bounds.failingAfterMs ? ["503 after a new primary"] : []),
    ...(outcome.isGraceful && outcome.brokenCalls.length > 0 ? ["broken calls"] : []),
  ];
}

function formatCall({ startedAt, ms, path, status, body }: Call): string {
  return `BROKEN: ${path} at ${seconds(startedAt)} after ${seconds(ms)}: ${status ?? "no answer"} ${body.slice(0, 200)}`;
}

/** Pads columns to their widest entry: numbers right-aligned, first and last column left-aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === row.length - 1 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
