import { type PeriodName, periodNames, periodProblem } from "../../../../domain/overview/overview.ts";

/**
 * The period in a page's URL, for a call that accepts one. `problem`: why its days are invalid; the call then uses the
 * default period.
 */
export function readPeriod({ url }: Request): {
  query: { from?: string; to?: string; period: PeriodName | undefined };
  params: URLSearchParams;
  problem: string | null;
} {
  const params = new URL(url).searchParams;
  const days = { from: params.get("from") ?? "", to: params.get("to") ?? "" };
  const isCustom = params.has("from") || params.has("to");
  const problem = isCustom ? periodProblem(days) : null;
  const query = {
    ...(isCustom && problem === null ? days : {}),
    period: findOption(periodNames, params.get("period")),
  };
  return { query, params, problem };
}

/** Returns the value if it is one of the options; other values in the URL are ignored. */
export function findOption<T extends string>(list: readonly T[], value: string | null): T | undefined {
  return list.find((option) => option === value);
}
