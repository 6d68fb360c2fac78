import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { apiKeyCallsPerMinute } from "../../domain/people/api-key.ts";
import { type NonOwnerRole, nonOwnerRoles } from "../../domain/people/roles.ts";
import { idempotencyHours } from "../../domain/privacy/retention.ts";
import { adminCookie } from "../admin/sessions.ts";
import type { AnyApiRow } from "../api-row.ts";
import { problemCodes } from "../platform/http/problem.ts";
import { cookieName } from "../visitors/cookies.ts";

type Json = Record<string, unknown>;

/** OpenAPI 3.1 description of the API rows, derived from the schemas that validate the requests. */
export function describeApi(routes: readonly AnyApiRow[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    const path = row.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: apiOperation(row) };
  }
  const adminCookieName = cookieName(adminCookie, publicUrl.startsWith("https:"));
  return {
    openapi: "3.1.0",
    info: {
      title: "Palmira shop",
      version: "1",
      description: `Money is integer cents unless a field says otherwise. Times are ISO 8601 UTC. ${keysText}`,
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: {
        admin: { type: "apiKey", in: "cookie", name: adminCookieName },
        key: { type: "http", scheme: "bearer", description: keysText },
      },
    },
  };
}

/** Instructions for programs with an API key. */
export const keysText = `Other programs call with an API key, which the owner makes in the panel under Shop, Keys: \`Authorization: Bearer KEY\`, without cookies. A key has one role; \`x-key-roles\` of a call lists the roles whose keys may make it. At most ${apiKeyCallsPerMinute} calls a minute with one key, then 429 with \`Retry-After\`. Every writing call takes \`Idempotency-Key\`: a call repeated within ${idempotencyHours} hours with the same body gets the same answer and has no second effect; with another body it gets 409 \`invalid_state\`. A key cannot confirm: calls that need it answer 403 \`confirmation_required\`.`;

/** Roles whose API keys may make a call. Only people may make the owner's calls, and calls that must be confirmed. */
function allowedKeyRoles({
  access,
  roles,
  notForKeys,
  byBuyer,
  confirm,
}: AnyApiRow): readonly NonOwnerRole[] {
  if (access === "provider" || notForKeys || byBuyer || typeof confirm === "string") return [];
  return access === "anyone" ? nonOwnerRoles : (roles ?? []);
}

const problemSchema: Json = {
  type: "object",
  required: ["success", "error", "message"],
  properties: {
    success: { const: false },
    error: { type: "string", enum: problemCodes },
    message: { type: "string", description: "A message for people" },
    fields: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "With 422: path -> message",
    },
    total: { type: "integer", description: "With price_changed: the right total in cents" },
    available: {
      type: "object",
      additionalProperties: { type: "integer" },
      description: "With out_of_stock: units left",
    },
    current: {
      description: "With invalid_state: the current data, if somebody else changed it in the meantime",
    },
    requestId: { type: "string" },
  },
};

function apiOperation(row: AnyApiRow): Json {
  const refusal = { content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } } };
  const success = successResponse(row);
  const takesBody = row.body !== undefined || row.upload !== undefined;
  const statuses = new Map<number, string>(
    Object.entries(row.responses).map(([status, text]) => [Number(status), text]),
  );
  const refusals: [boolean, number, string][] = [
    [row.access === "admin", 401, "The admin panel is locked, or the API key is not valid"],
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
    [takesBody, 400, row.upload ? "An incomplete form" : "Not valid JSON"],
    [
      row.method !== "GET",
      413,
      `The body is over ${row.upload ? `${row.upload.maxBytes / 1024 ** 2} MiB` : "64 KiB"}`,
    ],
    [takesBody, 415, `Not sent as ${requestMediaType(row)}`],
    [takesBody || row.query !== undefined, 422, "Values are missing or wrong; `fields` names them"],
    [row.limit !== "none", 429, "Too many calls; `Retry-After` says when"],
    [true, 500, "An internal error; `requestId` finds it in the shop’s log"],
    [true, 503, "The database is unavailable; `Retry-After` says when to try again"],
  ];
  for (const [applies, status, text] of refusals) {
    if (applies && !statuses.has(status)) statuses.set(status, text);
  }
  return {
    tags: [row.tag],
    summary: row.summary,
    ...(row.access === "admin" && {
      "x-roles": ["owner", ...(row.roles ?? [])],
      "x-key-roles": allowedKeyRoles(row),
    }),
    operationId: `${row.method.toLowerCase()}${row.path.replace(/[^a-z0-9]+(\w)/gi, (_, letter: string) => letter.toUpperCase())}`,
    security:
      row.access === "admin"
        ? [{ admin: [] }, ...(allowedKeyRoles(row).length > 0 ? [{ key: [] }] : [])]
        : [],
    parameters: [
      ...schemaParameters(row.params, "path"),
      ...schemaParameters(row.query, "query"),
      ...headerParameters(row),
    ],
    ...requestBody(row),
    responses: Object.fromEntries(
      [...statuses].map(([status, description]) => [
        status,
        { description, ...(status >= 400 ? refusal : success) },
      ]),
    ),
  };
}

/** The body of a success: JSON, or a file of one of these types. */
function successResponse({ response, file }: AnyApiRow): Json {
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

function schemaParameters(schema: v.GenericSchema | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputSchema(schema) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, propertySchema]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: propertySchema,
  }));
}

/** A provider's signature is required; other headers are optional. */
function headerParameters(row: AnyApiRow): Json[] {
  const { headers = {}, access, method } = row;
  const takesIdempotencyKey =
    access === "admin" && method !== "GET" && !row.onlyReads && allowedKeyRoles(row).length > 0;
  const idempotency = {
    "Idempotency-Key": "With an API key: a repeated call gets the same answer and has no second effect",
  };
  return Object.entries({ ...(takesIdempotencyKey && idempotency), ...headers }).map(
    ([name, description]) => ({
      name,
      in: "header",
      required: access === "provider",
      description,
      schema: { type: "string" },
    }),
  );
}

/** A provider's body may be any object, because it is signed. If every field is optional, so is the body. */
function requestBody(row: AnyApiRow): Json {
  const { body, access, upload } = row;
  if (!body && !upload && access !== "provider") return {};
  const schema = body ? inputSchema(body) : { type: "object" };
  const content = { [requestMediaType(row)]: { schema: upload ? withFile(schema, upload.field) : schema } };
  return { requestBody: { required: !body || upload !== undefined || !v.is(body, {}), content } };
}

function requestMediaType({ upload }: AnyApiRow): string {
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

/** Leaves out checks that JSON Schema cannot express, for example of a country. */
function jsonSchema(schema: v.GenericSchema, typeMode: "input" | "output"): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    errorMode: "ignore",
  }) as Json;
  return rest;
}

const inputSchema = (schema: v.GenericSchema) => jsonSchema(schema, "input");
