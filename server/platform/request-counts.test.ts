import { expect, test } from "vitest";
import { createRequestCounts } from "./request-counts.ts";

test("requests are counted by method, route, status and duration", () => {
  const requests = createRequestCounts([0.1, 1]);
  requests.count("GET", "/a", 200, 0.1);
  requests.count("GET", "/a", 200, 0.5);
  requests.count("GET", "/a", 200, 3);
  requests.count("HEAD", "/a", 304, 0.01);
  const text = requests.text();
  const getLabels = 'method="GET",route="/a",status="200"';
  for (const line of [
    "# TYPE http_requests_total counter",
    `http_requests_total{${getLabels}} 3`,
    'http_requests_total{method="HEAD",route="/a",status="304"} 1',
    "# TYPE http_request_duration_seconds histogram",
    `http_request_duration_seconds_bucket{le="0.1",${getLabels}} 1`,
    `http_request_duration_seconds_bucket{le="1",${getLabels}} 2`,
    `http_request_duration_seconds_bucket{le="+Inf",${getLabels}} 3`,
    `http_request_duration_seconds_sum{${getLabels}} 3.6`,
    `http_request_duration_seconds_count{${getLabels}} 3`,
  ]) {
    expect(text.split("\n")).toContain(line);
  }
});

test("a route's quotes, backslashes and line ends are escaped", () => {
  const requests = createRequestCounts([]);
  requests.count("GET", '/a"\\d\n', 200, 0);
  expect(requests.text()).toContain('route="/a\\"\\\\d\\n"');
});
