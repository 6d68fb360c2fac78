import * as v from "valibot";

/** Cents and counts that an owner can compare, and that must be the same after a restore. */
const sumsSchema = v.object({
  orders: v.number(),
  orderedCents: v.number(),
  payments: v.number(),
  paidCents: v.number(),
  refunds: v.number(),
  refundedCents: v.number(),
  unitsInStock: v.number(),
  pictures: v.number(),
});
export type Sums = v.InferOutput<typeof sumsSchema>;

const eventSchema = v.variant("kind", [
  /** Its rows follow, as `copy ... to stdout` gives them. */
  v.object({ kind: v.literal("table"), name: v.string(), columns: v.array(v.string()) }),
  /** The jobs of the queue, apart from its tables, which are the library's. Their rows follow. */
  v.object({ kind: v.literal("jobs"), columns: v.array(v.string()) }),
  /** Of the rows. `sha256`: of their text. */
  v.object({ kind: v.literal("rows_end"), rows: v.number(), sha256: v.string() }),
  v.object({
    kind: v.literal("sequences"),
    sequences: v.array(v.object({ name: v.string(), last: v.string(), isCalled: v.boolean() })),
  }),
  v.object({ kind: v.literal("end"), tables: v.number(), sums: sumsSchema }),
]);

/** What is in a backup, in this order: tables with their rows, jobs with theirs, sequences, end. */
export type BackupEvent = v.InferOutput<typeof eventSchema>;

const eventMark = 1;
const dataMark = 2;
const frontBytes = 5;
const eventBytesMax = 1_000_000;

export function eventRecord(event: BackupEvent): Buffer {
  return record(eventMark, Buffer.from(JSON.stringify(event)));
}

export function dataRecord(data: Buffer): Buffer {
  return record(dataMark, data);
}

function record(mark: number, payload: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(frontBytes + payload.length);
  whole.writeUInt8(mark, 0);
  whole.writeUInt32BE(payload.length, 1);
  payload.copy(whole, frontBytes);
  return whole;
}

/** Events, and between them the rows' data, in pieces of any size. */
export async function* readRecords(content: AsyncIterable<Buffer>): AsyncGenerator<BackupEvent | Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of data that are still to come of a record. */
  let dataLeft = 0;
  for await (const part of content) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    while (rest.length > 0) {
      if (dataLeft > 0) {
        const data = rest.subarray(0, dataLeft);
        dataLeft -= data.length;
        rest = rest.subarray(data.length);
        yield data;
        continue;
      }
      if (rest.length < frontBytes) break;
      const mark = rest.readUInt8(0);
      const length = rest.readUInt32BE(1);
      if (mark === dataMark) {
        dataLeft = length;
        rest = rest.subarray(frontBytes);
        continue;
      }
      if (mark !== eventMark || length > eventBytesMax) throw new Error("the backup holds an unknown record");
      if (rest.length < frontBytes + length) break;
      const json: unknown = JSON.parse(rest.subarray(frontBytes, frontBytes + length).toString("utf8"));
      rest = rest.subarray(frontBytes + length);
      yield v.parse(eventSchema, json);
    }
  }
  if (rest.length > 0 || dataLeft > 0) throw new Error("the backup ends in the middle of a record");
}
