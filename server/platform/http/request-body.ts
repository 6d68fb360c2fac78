import { getMultipartBoundary, parseMultipart } from "@remix-run/multipart-parser";
import * as v from "valibot";
import { invalidFields, type Problem, problem } from "./problem.ts";

export type UploadedFile = { name: string; bytes: Buffer };

const maxBodyBytes = 64 * 1024;

/** The body as text, or the problem if it is too large. */
export async function readBody(request: Request): Promise<string | Problem> {
  const bytes = await readBytes(request, maxBodyBytes, "64 KiB");
  return "problem" in bytes ? bytes : bytes.toString("utf8");
}

/** The request with its body read completely, so that handlers never wait for a disconnected caller; or the problem. */
export async function withBufferedBody(request: Request): Promise<Request | Problem> {
  const bytes = await readBytes(request, maxBodyBytes, "64 KiB");
  if ("problem" in bytes) return bytes;
  const { url, method, headers } = request;
  return new Request(url, { method, headers, ...(bytes.length > 0 && { body: bytes }) });
}

/** Overhead of `multipart/form-data`: boundaries, headers and text fields. */
const maxFormBytes = 64 * 1024;

/** One file and the fields sent with it, or the problem. */
export async function readUpload(
  request: Request,
  { field, maxBytes }: { field: string; maxBytes: number },
): Promise<{ file: UploadedFile; fields: Record<string, string> } | Problem> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    return problem("unsupported_media_type", "Send the file as multipart/form-data.");
  }
  const limit = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
  const bytes = await readBytes(request, maxBytes + maxFormBytes, limit);
  if ("problem" in bytes) return bytes;
  const form = readForm(bytes, contentType, field);
  if (form === null) return problem("invalid_json", "The form is not complete. Please send it again.");
  const { file, fields } = form;
  if (!file || file.bytes.length === 0) return invalidFields({ [field]: "Choose a file" });
  return file.bytes.length > maxBytes ? tooLargeProblem(limit) : { file, fields };
}

/** Far more than any form has. */
const maxParts = 50;

/**
 * A `multipart/form-data` body's file and text fields; null if it is incomplete or has too many parts. Node's `formData()` blocks
 * the server: about a second for 10 MiB, and several for as many headers or fields.
 */
function readForm(
  body: Uint8Array,
  contentType: string,
  field: string,
): { file: UploadedFile | null; fields: Record<string, string> } | null {
  const boundary = getMultipartBoundary(contentType);
  if (!boundary || body.length === 0) return null;
  let file: UploadedFile | null = null;
  const fields: [string, string][] = [];
  try {
    const limits = { maxParts, maxFileSize: body.length };
    for (const part of parseMultipart(body, { boundary, ...limits })) {
      const { name, filename } = part;
      if (name === undefined) return null;
      if (filename === undefined) fields.push([name, part.text]);
      else if (name === field) {
        // The only escape that browsers use, for quotation marks.
        file ??= { name: filename.replaceAll("%22", '"'), bytes: Buffer.from(part.arrayBuffer) };
      }
    }
  } catch {
    return null;
  }
  return { file, fields: Object.fromEntries(fields) };
}

/**
 * Maximum number of bytes read and discarded from a body that is too large: browsers and most programs read the response only
 * after sending the whole body, and would otherwise report a broken connection.
 */
const maxDiscardedBytes = 64 * 1024 * 1024;
/** Time limit (ms) to receive a body; higher for a large one, so that 10 MiB can arrive over a slow connection in three minutes. */
const bodyTimeoutMs = 30_000;
const slowestBytesPerMs = 64;

/** Reads and discards the body of a refused upload, so that the caller reads the response (`maxDiscardedBytes`). */
export async function discardBody(request: Request): Promise<void> {
  if (!request.bodyUsed) await readBytes(request, 0, "");
}

async function readBytes(
  request: Request,
  maxBytes: number,
  limit: string,
): Promise<Buffer<ArrayBuffer> | Problem> {
  const closeHeaders = { Connection: "close" };
  const declaredBytes = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declaredBytes > maxDiscardedBytes) return tooLargeProblem(limit, closeHeaders);
  if (request.method === "GET" || request.method === "HEAD") return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const startedAt = performance.now();
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  const checkTime = () => {
    const remainingMs = bodyTimeoutMs + size / slowestBytesPerMs - (performance.now() - startedAt);
    if (remainingMs <= 0) reject(new Error("The request took too long to arrive."));
    else timer = setTimeout(checkTime, remainingMs);
  };
  let timer = setTimeout(checkTime, bodyTimeoutMs);
  try {
    // For a stream, Hono would build a whole Request and pipe the body into it, which takes twice as long as this.
    if (declaredBytes <= maxBodyBytes) {
      const whole = Buffer.from(await Promise.race([request.arrayBuffer(), tooSlow]));
      return whole.length > maxBytes ? tooLargeProblem(limit) : whole;
    }
    const reader = request.body?.getReader();
    while (reader) {
      const { done, value: chunk } = await Promise.race([reader.read(), tooSlow]);
      if (done) break;
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      // Reading stops halfway and ends the connection: the caller must not reuse it.
      else if (size > maxDiscardedBytes) return tooLargeProblem(limit, closeHeaders);
    }
  } catch {
    return problem("aborted", "The request took too long, or ended before its body was whole.", {
      headers: closeHeaders,
    });
  } finally {
    clearTimeout(timer);
  }
  return size > maxBytes ? tooLargeProblem(limit) : Buffer.concat(chunks);
}

/** The body of a request or a response. Stops reading and returns null if it has more than `maxBytes` bytes. */
export async function readUpTo(
  maxBytes: number,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLargeProblem(limit: string, headers: Record<string, string> = {}): Problem {
  return problem("too_large", `The request is too large: at most ${limit}.`, { headers });
}

/** Parses JSON by a schema; the value, or the problem. */
export function parseJson(
  text: string,
  contentType: string | null,
  schema: v.GenericSchema,
): { value: unknown } | Problem {
  // If every field is optional, so is the body.
  if (text === "" && v.is(schema, {})) return parseInput({}, schema);
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? "")) {
    return problem("unsupported_media_type", "Send JSON with the header Content-Type: application/json.");
  }
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    return problem("invalid_json", "The request is not valid JSON.");
  }
  return parseInput(value, schema);
}

/**
 * Numbers with an exponent or with more digits than can be represented stay strings, so that number fields refuse them: `1e5`
 * cents must not become $1,000.
 */
function parseExactly(text: string): unknown {
  if (!/\d(?:e|\.\d{9})/i.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = typeof value === "number" ? context?.source : undefined;
    if (source === undefined) return value;
    const isRounded = Number.isInteger(value) && /\.\d*[1-9]/.test(source);
    return isRounded || /e/i.test(source) ? source : value;
  });
}

/** Validates input; reports all problems at once, by path. */
export function parseInput(input: unknown, schema: v.GenericSchema): { value: unknown } | Problem {
  const unusable = findUnusableValue(input, "", 0);
  if (unusable !== null) return invalidFields({ [unusable.path || "body"]: unusable.reason });
  const result = v.safeParse(schema, input);
  if (result.success) {
    const listPath = findListForObject(input, result.output, "");
    return listPath === null
      ? { value: result.output }
      : invalidFields({ [listPath || "body"]: "Must be an object" });
  }
  // A map, because a field may be named like a property of every object, such as `constructor`.
  const fields = new Map<string, string>();
  for (const issue of result.issues) {
    const path = v.getDotPath(issue) ?? "body";
    if (!fields.has(path)) fields.set(path, issueSentence(issue));
  }
  return invalidFields(Object.fromEntries(fields));
}

/**
 * Path of an array where the schema expects an object whose fields are all optional: Valibot would accept the array and ignore
 * it. Null if there is none.
 */
function findListForObject(input: unknown, output: unknown, path: string): string | null {
  if (!isObject(input) || !isObject(output)) return null;
  if (Array.isArray(input) && !Array.isArray(output)) return path;
  for (const [key, value] of Object.entries(output)) {
    const inputValue = Object.getOwnPropertyDescriptor(input, key)?.value;
    const problemPath = findListForObject(inputValue, value, path === "" ? key : `${path}.${key}`);
    if (problemPath !== null) return problemPath;
  }
  return null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Valibot's default message for a check without its own message; it repeats the input. */
const standardMessage = /^Invalid [\w ]+: (?:Expected|Received) /;

/** Readable text of an issue: the schema's own message, otherwise one for the kind of check. */
export function issueSentence({
  kind,
  type,
  input,
  expected,
  requirement,
  path,
  message,
}: v.BaseIssue<unknown>) {
  if (!standardMessage.test(message)) return message;
  // The schema of a missing field was not run.
  if (type === "object" && input === undefined && path !== undefined) return "Is required";
  if (expected === "never") return "Is not known here";
  if (kind === "schema" && input === undefined) return "Is required";
  const entries = Array.isArray(input) ? "entries" : "characters";
  const sentences: Record<string, string> = {
    string: "Must be text",
    number: "Must be a number",
    boolean: "Must be true or false",
    array: "Must be a list",
    object: "Must be an object",
    strict_object: "Must be an object",
    record: "Must be an object",
    picklist: `One of ${expected?.replace(/[()"]/g, "").replaceAll(" | ", ", ")}`,
    literal: `Must be ${expected?.replaceAll('"', "")}`,
    integer: "Must be a whole number",
    min_value: `At least ${requirement}`,
    max_value: `At most ${requirement}`,
    min_length: `At least ${requirement} ${entries}`,
    max_length: `At most ${requirement} ${entries}`,
    uuid: "Must be a UUID",
  };
  return sentences[type] ?? "Does not have the right form";
}

/** Maximum nesting of input; no schema of the shop is deeper. */
const maxDepth = 10;

type UnusableValue = { path: string; reason: string };

/** The first text that PostgreSQL cannot store (NUL, half a surrogate pair), or too deep nesting. */
function findUnusableValue(value: unknown, path: string, depth: number): UnusableValue | null {
  if (typeof value === "string") {
    if (!value.includes("\0") && value.isWellFormed()) return null;
    return { path, reason: "Contains characters that cannot be stored" };
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth > maxDepth) return { path, reason: `Nested too deep: at most ${maxDepth} levels` };
  for (const [key, inner] of Object.entries(value)) {
    const unusable = findUnusableValue(inner, path ? `${path}.${key}` : key, depth + 1);
    if (unusable !== null) return unusable;
  }
  return null;
}
