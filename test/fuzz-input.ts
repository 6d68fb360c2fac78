import fc from "fast-check";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonSchema = { [key: string]: unknown };

/** Marks a number that `JSON.stringify` cannot write, which `toText` inserts verbatim. */
const rawMark = "raw\u{e000}";
const rawNumbers = [
  "1e999",
  "-1e999",
  "1e-999",
  "-0",
  "123456789012345678901234567890",
  "1.0000000000000001",
];

/** The value as JSON text. */
export function toText(value: Json): string {
  return JSON.stringify(value).replace(new RegExp(`"${rawMark}([^"]*)"`, "g"), "$1");
}

/** Values that often break programs. */
const hostileConstants: Json[] = [
  ...[null, true, false, 0, -1, 0.5, 1e21, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 5e-324],
  ...rawNumbers.map((number) => rawMark + number),
  ...["", " ", "\n", "NaN", "Infinity", "undefined", "null", "1e5", "0x10", "-1", "9".repeat(30), "½", "٣"],
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "x\udfff",
    "\u202eabc",
    "\u200b",
    "\u2066\u2069",
    "\ufeff",
    "e\u0301",
    "👩‍👩‍👧‍👦",
  ],
  ...[
    "x".repeat(300),
    "x".repeat(5_001),
    "😀".repeat(300),
    "é".repeat(256),
    "\\",
    "%",
    "_",
    "%00",
    "'",
    '"',
    "`",
  ],
  ...["'; drop table orders; --", "{{7*7}}", "<script>alert(1)</script>", "../../etc/passwd", "(", "["],
  ...["constructor", "__proto__", "toString", "hasOwnProperty"],
  ...[
    "2026-02-30",
    "2026-13-45",
    "0000-00-00",
    "0001-01-01",
    "9999-12-31",
    "10000-01-01",
    "2026-11-22T25:61:61Z",
  ],
  ...[
    "0000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "+275760-09-13T00:00:00.000Z",
    "99999999-01-01T00:00:00Z",
  ],
  ...["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "not-a-uuid"],
  ...[
    "a@b",
    "a@b.c",
    `${"a".repeat(250)}@example.com`,
    "a@example.com\r\nBcc: b@example.com",
    "ada@exämple.com",
  ],
  ...["http://", "javascript:alert(1)", "http://[::1]", "//example.com", "https://example.com/\u0000"],
];
const nestedArrays = (levels: number): Json => (levels === 0 ? [] : [nestedArrays(levels - 1)]);
const hostileValues = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...hostileConstants) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Json>(
      [],
      {},
      [[]],
      [null],
      { "": 1 },
      { length: -1 },
      nestedArrays(9),
      nestedArrays(200),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.oneof(fc.double(), fc.maxSafeInteger()).map(finite) },
);

/** JSON has only finite numbers. */
function finite(number: number): Json {
  return Number.isFinite(number) ? number : `${rawMark}1e999`;
}

/** Values that match a JSON Schema; checks it cannot express are ignored. */
export function arbitraryValue(schema: JsonSchema): fc.Arbitrary<Json> {
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if ("const" in schema) return fc.constant(schema.const as Json);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]));
  if (alternatives) return fc.oneof(...alternatives.map(arbitraryValue));
  switch (schema.type) {
    case "object":
      return arbitraryObject(schema);
    case "array":
      return arbitraryList(schema);
    case "string":
      return arbitraryText(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
    case "number": {
      const { minimum: min = -(2 ** 31), maximum: max = 2 ** 53 } = schema as Record<string, number>;
      return fc.oneof(
        fc.constantFrom(min, max),
        fc.integer({ min: Math.ceil(min), max: Math.min(max, 9_999) }),
      );
    }
    default:
      return hostileValues;
  }
}

function arbitraryObject({
  properties = {},
  required = [],
  additionalProperties,
}: JsonSchema): fc.Arbitrary<Json> {
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  if (fields.length === 0 && typeof additionalProperties === "object" && additionalProperties) {
    return fc.dictionary(fc.string({ maxLength: 8 }), arbitraryValue(additionalProperties as JsonSchema), {
      maxKeys: 3,
    });
  }
  const model = Object.fromEntries(fields.map(([name, schema]) => [name, arbitraryValue(schema)]));
  return fc.record(model, { requiredKeys: required as string[] });
}

function arbitraryList({ items, prefixItems, minItems = 0, maxItems }: JsonSchema): fc.Arbitrary<Json> {
  if (Array.isArray(prefixItems))
    return fc.tuple(...prefixItems.map((prefixItem) => arbitraryValue(prefixItem)));
  const minLength = minItems as number;
  const maxLength = Math.min((maxItems as number | undefined) ?? 4, minLength + 3);
  return fc.array(arbitraryValue((items ?? {}) as JsonSchema), { minLength, maxLength });
}

function arbitraryText({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "uri") return fc.webUrl();
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "email" || String(pattern).includes("@")) return fc.emailAddress();
  if (typeof pattern === "string" && !pattern.includes("\\p")) return fc.stringMatching(new RegExp(pattern));
  const min = minLength as number;
  const max = Math.min(maxLength as number, min + 60);
  const texts =
    textsByLength.get(`${min}-${max}`) ?? fc.string({ unit: "grapheme", minLength: min, maxLength: max });
  textsByLength.set(`${min}-${max}`, texts);
  return texts;
}

/** Shared by fields of the same limits: creating one for each field took a sixth of the time of the fuzz tests. */
const textsByLength = new Map<string, fc.Arbitrary<string>>();

/** Values with up to three random mutations. */
export function withMutations(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const step = fc.record({
    at: fc.nat(),
    how: fc.constantFrom("replace", "replace", "replace", "remove", "add", "wrap", "repeat"),
    name: fc.constantFrom("__proto__", "constructor", "extra", "", "id", "0", "toString"),
    value: hostileValues,
  });
  return fc
    .tuple(values, fc.oneof({ weight: 2, arbitrary: fc.tuple(step) }, fc.array(step, { maxLength: 3 })))
    .map(([value, steps]) => steps.reduce<Json>((current, step) => mutate(current, step), value));
}

type Step = { at: number; how: string; name: string; value: Json };

/** Mutates one place in the value; `at` is its index, counted from the outside in. */
function mutate(value: Json, step: Step): Json {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const entry = entries[step.at % (entries.length + 1)];
  if (entry && step.how !== "add") {
    const [key, old] = entry;
    const rest = Math.floor(step.at / (entries.length + 1));
    if (step.how === "remove")
      return rebuild(
        value,
        entries.filter(([name]) => name !== key),
      );
    const changed = mutate(old, { ...step, at: rest });
    return rebuild(
      value,
      entries.map(([name, entryValue]) => [name, name === key ? changed : entryValue]),
    );
  }
  if (step.how === "add") return rebuild(value, [...entries, [step.name, step.value]]);
  if (step.how === "wrap") return [value];
  if (step.how === "repeat" && Array.isArray(value)) return [...value, ...value];
  return step.value;
}

/** An array or object of the same kind with these entries; `__proto__` becomes a key like any other. */
function rebuild(value: Json, entries: [string, Json][]): Json {
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
