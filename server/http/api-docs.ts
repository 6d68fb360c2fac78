import { escapeHtml } from "../../domain/shared/escape-html.ts";
import { keysText } from "./openapi.ts";

type Json = Record<string, unknown>;
type Operation = { path: string; method: string; operation: Json };

/** `/api/docs`: the description as a page without scripts. */
export function apiDocsPage(document: Json): string {
  const paths = document.paths as Record<string, Record<string, Json>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const [{ url: shopUrl = "" } = {}] = document.servers as { url?: string }[];
  const tags = Map.groupBy(operations, ({ operation }) => (operation.tags as string[])[0] ?? "");
  const sections = [...tags]
    .map(
      ([tag, rows]) =>
        `<h2>${escapeHtml(tag)}</h2>${rows.map((row) => operationHtml(row, shopUrl)).join("")}`,
    )
    .join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Palmira API</title><style>
body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:2rem 1.25rem;color:#1d2a21;background:#fbf7ef}
h1,h2{font-family:Georgia,serif;font-weight:400}article{border-top:1px solid #e2d8c5;padding:1rem 0}
h3{font:600 1rem/1.4 ui-monospace,monospace;margin:0;overflow-wrap:anywhere}pre{overflow:auto;background:#f6efe1;padding:1rem;border-radius:8px}
pre code{user-select:all;white-space:pre}a{color:#8a4b15}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0}
</style></head><body><main><h1>Palmira API</h1>
<p>JSON over HTTP. The same description for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<p>${textHtml(keysText)}</p>${sections}</main></body></html>`;
}

function operationHtml({ path, method, operation }: Operation, shopUrl: string): string {
  const responses = Object.entries(operation.responses as Record<string, { description: string }>);
  const schema = requestBodySchema(operation)?.schema;
  return `<article><h3>${method.toUpperCase()} ${escapeHtml(path)}</h3><p>${escapeHtml(String(operation.summary))}</p>${rolesHtml(operation)}
<dl>${responses.map(([status, { description }]) => `<dt>${status}</dt><dd>${escapeHtml(description)}</dd>`).join("")}</dl>
${schema ? `<details><summary>Body</summary><pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>` : ""}
${exampleHtml({ path, method, operation }, shopUrl)}</article>`;
}

function rolesHtml({ "x-roles": roles, "x-key-roles": keyRoles }: Json): string {
  if (!Array.isArray(roles)) return "";
  const keys = Array.isArray(keyRoles) && keyRoles.length > 0 ? keyRoles.join(", ") : "none";
  return `<p>For: ${roles.join(", ")}. API keys: ${keys}.</p>`;
}

/** A call with an API key to copy into a shell; one click selects all of it. */
function exampleHtml(call: Operation, shopUrl: string): string {
  const keyRoles = call.operation["x-key-roles"];
  if (!Array.isArray(keyRoles) || keyRoles.length === 0) return "";
  const lines = curlLines(call, shopUrl);
  return `<details><summary>Example with an API key</summary><pre tabindex="0"><code>${escapeHtml(lines.join(" \\\n  "))}</code></pre></details>`;
}

function curlLines({ path, method, operation }: Operation, shopUrl: string): string[] {
  const parameters = operation.parameters as { name: string; in: string; required: boolean; schema: Json }[];
  const pagePath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((parameter) => parameter.name === name);
    return encodeURIComponent(String(schemaExample(parameter?.schema ?? {})));
  });
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const search = new URLSearchParams(query.map(({ name, schema }) => [name, String(schemaExample(schema))]));
  const url = `${shopUrl}${pagePath}${search.size > 0 ? `?${search}` : ""}`;
  const lines = [`curl -X ${method.toUpperCase()} '${url}'`, `-H "Authorization: Bearer $API_KEY"`];
  if (parameters.some(({ name }) => name === "Idempotency-Key")) {
    lines.push(`-H "Idempotency-Key: $(uuidgen)"`);
  }
  const body = requestBodySchema(operation);
  if (!body) return lines;
  if (body.type !== "application/json") return [...lines, ...formLines(body.schema)];
  const json = JSON.stringify(schemaExample(body.schema)).replaceAll("'", "\\u0027");
  return [...lines, `-H "Content-Type: application/json"`, `-d '${json}'`];
}

function formLines(schema: Json): string[] {
  const properties = schema.properties as Record<string, Json>;
  return ((schema.required as string[] | undefined) ?? []).map((name) =>
    properties[name]?.contentMediaType
      ? `-F '${name}=@picture.jpg'`
      : `-F '${name}=${String(schemaExample(properties[name] ?? {}))}'`,
  );
}

function requestBodySchema(operation: Json): { type: string; schema: Json } | null {
  const content = (operation.requestBody as { content: Record<string, { schema: Json }> } | undefined)
    ?.content;
  const [[type, { schema }] = ["", { schema: null }]] = Object.entries(content ?? {});
  return schema === null ? null : { type, schema };
}

/** A value with every required field, or with the first field if all are optional. */
function schemaExample(schema: Json): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (Array.isArray(choices)) return schemaExample(choices[0] ?? {});
  if (schema.type === "object" || schema.properties !== undefined) {
    const properties = (schema.properties ?? {}) as Record<string, Json>;
    const required = (schema.required as string[] | undefined) ?? [];
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
    return Object.fromEntries(names.map((name) => [name, schemaExample(properties[name] ?? {})]));
  }
  if (schema.type === "array") return [schemaExample((schema.items ?? {}) as Json)];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return schema.format === "uuid" ? "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" : "text";
}

function textHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
