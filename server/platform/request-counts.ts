type Series = {
  method: string;
  route: string;
  status: number;
  count: number;
  seconds: number;
  /** Number of requests per bucket; the last entry counts those slower than all buckets. */
  bucketCounts: number[];
};

/**
 * Counts requests and their durations, as two metrics in Prometheus' text format. prom-client builds, checks and hashes
 * the labels of each request, which costs more than serving it from memory.
 */
export function createRequestCounts(bucketSeconds: readonly number[]) {
  const byRoute = new Map<string, Series[]>();

  function findSeries(method: string, route: string, status: number): Series {
    const routeSeries = byRoute.get(route) ?? [];
    if (routeSeries.length === 0) byRoute.set(route, routeSeries);
    for (const series of routeSeries) if (series.status === status && series.method === method) return series;
    const bucketCounts = [...bucketSeconds.map(() => 0), 0];
    const series = { method, route, status, count: 0, seconds: 0, bucketCounts };
    routeSeries.push(series);
    return series;
  }

  return {
    count(method: string, route: string, status: number, seconds: number): void {
      const series = findSeries(method, route, status);
      series.count += 1;
      series.seconds += seconds;
      let bucket = 0;
      while (bucket < bucketSeconds.length && seconds > (bucketSeconds[bucket] ?? 0)) bucket += 1;
      series.bucketCounts[bucket] = (series.bucketCounts[bucket] ?? 0) + 1;
    },
    text(): string {
      const allSeries = [...byRoute.values()].flat();
      const counts = allSeries.map(
        (series) => `http_requests_total{${metricLabels(series)}} ${series.count}`,
      );
      return [
        "# HELP http_requests_total Requests by route and status",
        "# TYPE http_requests_total counter",
        ...counts,
        "",
        "# HELP http_request_duration_seconds Time to answer by route and status",
        "# TYPE http_request_duration_seconds histogram",
        ...allSeries.flatMap((series) => durationLines(series, bucketSeconds)),
        "",
      ].join("\n");
    },
  };
}

function durationLines(series: Series, bucketSeconds: readonly number[]): string[] {
  const labels = metricLabels(series);
  const name = "http_request_duration_seconds";
  let sum = 0;
  const buckets = [...bucketSeconds, "+Inf"].map((bound, index) => {
    sum += series.bucketCounts[index] ?? 0;
    return `${name}_bucket{le="${bound}",${labels}} ${sum}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${series.seconds}`, `${name}_count{${labels}} ${series.count}`];
}

function metricLabels({ method, route, status }: Series): string {
  return `method="${method}",route="${escapeLabel(route)}",status="${status}"`;
}

function escapeLabel(label: string): string {
  return label.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
