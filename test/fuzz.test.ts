import fc from "fast-check";
import { Stripe } from "stripe";
import { afterAll, expect, test } from "vitest";
import type { AnyApiRow } from "../server/api-row.ts";
import { problemCodes } from "../server/platform/http/problem.ts";
import { adminBrowser } from "./admin.ts";
import { callExamples } from "./call-examples.ts";
import { openFilledShop } from "./filled-shop.ts";
import { arbitraryValue, type Json, type JsonSchema, toText, withMutations } from "./fuzz-input.ts";
import { patienceMs } from "./patience.ts";
import type { TestBrowser } from "./shop.ts";

/** Every run makes the same calls; another seed, or more runs for each API row (`npm run test:all`: 16), tests others. */
const seed = Number(process.env.FUZZ_SEED ?? 61);
const runs = Number(process.env.FUZZ_RUNS ?? 4);

const webhookSecret = "whsec_fuzz";
const filled = await openFilledShop({ STRIPE_WEBHOOK_SECRET: webhookSecret });
afterAll(() => filled.shop.stop());

type Call = {
  isNew: boolean;
  path: string;
  query: string;
  body: string | null;
  type: string;
  header: string;
};
type Operation = {
  parameters: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
};

test(
  `no call of the API fails, whatever is sent (FUZZ_SEED=${seed} FUZZ_RUNS=${runs})`,
  async () => {
    const { shop } = filled;
    const { paths } = await (await shop.app.request("/api/openapi.json")).json();
    const failures: string[] = [];
    for (const row of [...shop.api].sort((a, b) => callPhase(a) - callPhase(b))) {
      const operation: Operation = paths[row.path.replace(/:(\w+)/g, "{$1}")][row.method.toLowerCase()];
      const callers = await createCallers(row);
      const property = fc.asyncProperty(arbitraryCall(row, operation), (call) =>
        send(callers(call.isNew), row, operation, call),
      );
      const result = await fc.check(property, { seed, numRuns: runs, maxSkipsPerRun: 0 });
      if (!result.failed) continue;
      const last = shop.logLines.findLast((line) => line.includes("a request failed"));
      failures.push(`${row.method} ${row.path}: ${fc.defaultReportMessage(result)}\n${last?.slice(0, 1500)}`);
    }
    expect(failures).toEqual([]);
  },
  patienceMs * Math.max(5, runs),
);

/** Calls that delete or configure things used by other calls come last. */
function callPhase({ method, path }: AnyApiRow): number {
  if (method === "GET") return 0;
  return method === "DELETE" || /delet|cancel|refund|settings|logout/.test(path) ? 2 : 1;
}

/** Possible callers: an admin, in a separate session if the call ends it; a buyer, or a new visitor each time. */
async function createCallers({ access, path }: AnyApiRow): Promise<(isNew: boolean) => TestBrowser> {
  if (path === "/api/admin/logout") {
    const separateSession = await adminBrowser(filled.shop);
    return () => separateSession;
  }
  if (access === "admin") return () => filled.admin;
  return (isNew) => (isNew ? filled.shop.browser() : filled.buyer);
}

function arbitraryCall(row: AnyApiRow, { parameters, requestBody }: Operation): fc.Arbitrary<Call> {
  const examples = callExamples(filled, row);
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [name, arbitraryValue(schema)]),
    );
  const [media = "application/json"] = Object.keys(requestBody?.content ?? {});
  const schema = requestBody?.content[media]?.schema;
  const mixedValues = (key: "params" | "query" | "body", generated: fc.Arbitrary<Json>) => {
    const recordedValues = examples.flatMap((example) => (example[key] === undefined ? [] : [example[key]]));
    return recordedValues.length > 0
      ? fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...recordedValues) },
          { weight: 1, arbitrary: generated },
        )
      : generated;
  };
  const params = mixedValues("params", fc.record(valuesIn("path")) as fc.Arbitrary<Json>);
  const query = mixedValues(
    "query",
    fc.record(valuesIn("query"), { requiredKeys: [] }) as fc.Arbitrary<Json>,
  );
  const body = schema ? mixedValues("body", arbitraryValue(schema)) : fc.constant<Json>({});
  return fc.record({
    isNew: fc.boolean(),
    header: fc.constantFrom("", "key-1", "x".repeat(256), "\xff", "%00", "t=1,v1=00"),
    path: fc
      .oneof({ weight: 4, arbitrary: params }, { weight: 1, arbitrary: withMutations(params) })
      .map((values) => fillPath(row.path, values)),
    query: fc.oneof(query, withMutations(query)).map(queryString),
    body: row.method === "GET" ? fc.constant(null) : bodies(body),
    type: fc.oneof(
      { weight: 19, arbitrary: fc.constant(media) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("text/plain", "", "application/json; charset=x", "multipart/form-data"),
      },
    ),
  });
}

function bodies(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  const text = withMutations(values).map(toText);
  return fc.oneof(
    { weight: 9, arbitrary: text },
    { weight: 5, arbitrary: values.map(toText) },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat(60)).map(([whole, length]) => whole.slice(0, length)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "NaN", "\ufeff{}", "[]", `${"[".repeat(9_000)}`, "x".repeat(66_000)),
    },
  );
}

/** Encodes a value for a URL. Text that is not well-formed becomes the bytes of a lone surrogate. */
function encoded(value: Json | undefined): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

function fillPath(path: string, values: Json): string {
  const params = values as Record<string, Json>;
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const segment = encoded(params?.[name]);
    return segment === "" || /^\.+$/.test(segment) ? "none" : segment;
  });
}

/** A list becomes a repeated key. */
function queryString(values: Json): string {
  return Object.entries(values ?? {})
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each: Json) => `${encoded(name)}=${encoded(each)}`),
    )
    .join("&");
}

async function send(browser: TestBrowser, row: AnyApiRow, operation: Operation, call: Call): Promise<void> {
  const { path, query, body, type } = call;
  const init: RequestInit = { method: row.method, ...(body !== null && { body }) };
  const headers = new Headers({ "Content-Type": type, "X-Forwarded-For": nextAddress() });
  for (const name of Object.keys(row.headers ?? {})) {
    if (call.header) headers.set(name, call.header);
  }
  if (row.access === "provider" && body && !call.isNew) {
    headers.set("Stripe-Signature", signPayload(body));
  }
  if (row.upload && type === "multipart/form-data") {
    headers.delete("Content-Type");
    init.body = pictureForm(row.upload.field, body ?? "");
  }
  const response = await browser.fetch(query ? `${path}?${query}` : path, { ...init, headers });
  const { status } = response;
  expect(Object.keys(operation.responses), `${status} is documented`).toContain(String(status));
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("application/json")) {
    expect(status, text).toBeLessThan(300);
    return;
  }
  const result = JSON.parse(text);
  // Some successful responses have no `success`, because their whole body is specified.
  expect(result.success !== false).toBe(status < 300);
  if (status < 300) return;
  expect(result).toMatchObject({ message: expect.stringMatching(/[.?!]$/), requestId: expect.any(String) });
  expect(problemCodes).toContain(result.error);
  expect(["internal", "unavailable"]).not.toContain(result.error);
  expect("fields" in result, "fields are reported with 422 only").toBe(status === 422);
}

function signPayload(payload: string): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
}

/** The fields of a JSON object as a form, with the text itself as its file. */
function pictureForm(field: string, text: string): FormData {
  const form = new FormData();
  form.set(field, new Blob([text]), "picture.jpg");
  let fields: unknown = null;
  try {
    fields = JSON.parse(text);
  } catch {
    // The form then has only the file.
  }
  for (const [name, value] of Object.entries(fields ?? {})) form.append(name, String(value));
  return form;
}

let addressCount = 0;

/** Rate limits count by network, so every call comes from a different one. */
function nextAddress(): string {
  addressCount += 1;
  return `11.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
}
