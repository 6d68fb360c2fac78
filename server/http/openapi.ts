import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { adminCookie } from "../admin/sessions.ts";
import type { AnyApiRow } from "../api-row.ts";
import { escapeHtml } from "../platform/escape-html.ts";
import { problemCodes } from "../platform/http/problem.ts";
import { cookieName } from "../visitors/cookies.ts";

type Json = Record<string, unknown>;

/** OpenAPI 3.1 of the API rows: made from the same schemas that check the requests. */
export function describeApi(routes: readonly AnyApiRow[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    const path = row.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row) };
  }
  const adminCookieName = cookieName(adminCookie, publicUrl.startsWith("https:"));
  return {
    openapi: "3.1.0",
    info: {
      title: "Palmira shop",
      version: "1",
      description: "Money is integer cents unless a field says otherwise. Times are ISO 8601 UTC.",
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: { admin: { type: "apiKey", in: "cookie", name: adminCookieName } },
    },
  };
}

const problemSchema: Json = {
  type: "object",
  required: ["success", "error", "message"],
  properties: {
    success: { const: false },
    error: { type: "string", enum: problemCodes },
    message: { type: "string", description: "A sentence for people" },
    fields: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "With 422: path -> sentence",
    },
    total: { type: "integer", description: "With price_changed: the right total in cents" },
    available: {
      type: "object",
      additionalProperties: { type: "integer" },
      description: "With out_of_stock: units left",
    },
    current: { description: "With invalid_state: what is there now, where it was changed meanwhile" },
    requestId: { type: "string" },
  },
};

function operationOf(row: AnyApiRow): Json {
  const refusal = { content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } } };
  const success = successOf(row);
  const takesBody = row.body !== undefined || row.upload !== undefined;
  const statuses = new Map<number, string>(
    Object.entries(row.answers).map(([status, text]) => [Number(status), text]),
  );
  const refusals: [boolean, number, string][] = [
    [row.access === "admin", 401, "The admin panel is locked"],
    [
      row.access === "admin",
      403,
      `Not for this role, or the call comes from another site${row.confirm !== undefined || row.givesAway ? "; `confirmation_required`: POST /api/admin/account/confirm comes first" : ""}`,
    ],
    [
      (row.method !== "GET" || row.ownPagesOnly === true) && row.access === "anyone",
      403,
      "The call comes from another site",
    ],
    [row.params !== undefined, 404, "There is nothing at this address"],
    [takesBody, 400, row.upload ? "Not a whole form" : "Not valid JSON"],
    [row.method !== "GET", 413, `The body is over ${row.upload ? sizeText(row.upload.bytesMax) : "64 KiB"}`],
    [takesBody, 415, `Not sent as ${mediaTypeOf(row)}`],
    [takesBody || row.query !== undefined, 422, "Values are missing or wrong; `fields` names them"],
    [row.limit !== "none", 429, "Too many calls; `Retry-After` says when"],
    [true, 500, "A fault of the shop; its log knows it by `requestId`"],
    [true, 503, "The database is away; `Retry-After` says when to try again"],
  ];
  for (const [applies, status, text] of refusals) {
    if (applies && !statuses.has(status)) statuses.set(status, text);
  }
  return {
    tags: [row.tag],
    summary: row.summary,
    ...(row.access === "admin" && { "x-roles": ["owner", ...(row.roles ?? [])] }),
    operationId: `${row.method.toLowerCase()}${row.path.replace(/[^a-z0-9]+(\w)/gi, (_, letter: string) => letter.toUpperCase())}`,
    security: row.access === "admin" ? [{ admin: [] }] : [],
    parameters: [...parametersOf(row.params, "path"), ...parametersOf(row.query, "query"), ...headersOf(row)],
    ...bodyOf(row),
    responses: Object.fromEntries(
      [...statuses].map(([status, description]) => [
        status,
        { description, ...(status >= 400 ? refusal : success) },
      ]),
    ),
  };
}

/** The body of a success: JSON, or a file of one of these types. */
function successOf({ response, file }: AnyApiRow): Json {
  if (file) {
    const contents = file.map((type): [string, Json] => [
      type,
      { schema: { type: "string", contentMediaType: type } },
    ]);
    return { content: Object.fromEntries(contents) };
  }
  if (!response) return {};
  const { properties, required, ...rest } = jsonSchema(response, "output") as {
    properties: Json;
    required: string[];
  };
  const schema = {
    ...rest,
    properties: { success: { const: true }, ...properties },
    required: ["success", ...required],
  };
  return { content: { "application/json": { schema } } };
}

function parametersOf(schema: v.GenericSchema | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputSchema(schema) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: each,
  }));
}

/** A provider's signature is required; other headers are optional. */
function headersOf({ headers = {}, access }: AnyApiRow): Json[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: access === "provider",
    description,
    schema: { type: "string" },
  }));
}

/** A provider's body is whatever it signed. If every field is optional, so is the body. */
function bodyOf(row: AnyApiRow): Json {
  const { body, access, upload } = row;
  if (!body && !upload && access !== "provider") return {};
  const schema = body ? inputSchema(body) : { type: "object" };
  const content = { [mediaTypeOf(row)]: { schema: upload ? withFile(schema, upload.field) : schema } };
  return { requestBody: { required: !body || upload !== undefined || !v.is(body, {}), content } };
}

function mediaTypeOf({ upload }: AnyApiRow): string {
  return upload ? "multipart/form-data" : "application/json";
}

/** The fields of a form with an uploaded file. */
function withFile({ properties, required, ...schema }: Json, field: string): Json {
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  return {
    ...schema,
    properties: { [field]: file, ...(properties as Json) },
    required: [field, ...((required as string[] | undefined) ?? [])],
  };
}

function sizeText(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}

/** Checks that JSON Schema cannot express (a list of countries, say) are left out. */
function jsonSchema(schema: v.GenericSchema, typeMode: "input" | "output"): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    errorMode: "ignore",
  }) as Json;
  return rest;
}

/** Input of a call. */
const inputSchema = (schema: v.GenericSchema) => jsonSchema(schema, "input");

/** `/api/docs`: the description as a page without scripts. */
export function apiDocsPage(document: Json): string {
  const paths = document.paths as Record<string, Record<string, Json>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = Map.groupBy(operations, ({ operation }) => (operation.tags as string[])[0] ?? "");
  const sections = [...tags]
    .map(([tag, rows]) => `<h2>${escapeHtml(tag)}</h2>${rows.map(operationHtml).join("")}`)
    .join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Palmira API</title><style>
body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:2rem 1.25rem;color:#1d2a21;background:#fbf7ef}
h1,h2{font-family:Georgia,serif;font-weight:400}article{border-top:1px solid #e2d8c5;padding:1rem 0}
h3{font:600 1rem/1.4 ui-monospace,monospace;margin:0;overflow-wrap:anywhere}pre{overflow:auto;background:#f6efe1;padding:1rem;border-radius:8px}
a{color:#8a4b15}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0}
</style></head><body><main><h1>Palmira API</h1>
<p>JSON over HTTP. The same description for programs: <a href="/api/openapi.json">openapi.json</a>.</p>${sections}</main></body></html>`;
}

function operationHtml({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Json;
}): string {
  const responses = Object.entries(operation.responses as Record<string, { description: string }>);
  const body = (operation.requestBody as { content: Record<string, { schema: Json }> } | undefined)?.content;
  const [{ schema } = {}] = Object.values(body ?? {});
  return `<article><h3>${method.toUpperCase()} ${escapeHtml(path)}</h3><p>${escapeHtml(String(operation.summary))}</p>${rolesHtml(operation["x-roles"])}
<dl>${responses.map(([status, { description }]) => `<dt>${status}</dt><dd>${escapeHtml(description)}</dd>`).join("")}</dl>
${schema ? `<details><summary>Body</summary><pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>` : ""}</article>`;
}

function rolesHtml(roles: unknown): string {
  return Array.isArray(roles) ? `<p>For: ${roles.join(", ")}</p>` : "";
}
