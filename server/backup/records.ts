import * as v from "valibot";

/** Counts and amounts of the whole shop. They must be equal after a restore, and the owner can compare them. */
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
  /** A table; its rows follow as output of `copy ... to stdout`. */
  v.object({ kind: v.literal("table"), name: v.string(), columns: v.array(v.string()) }),
  /** The jobs of the queue, independent of the queue library's tables; their rows follow. */
  v.object({ kind: v.literal("jobs"), columns: v.array(v.string()) }),
  /** The end of rows. `sha256`: of their text. */
  v.object({ kind: v.literal("rows_end"), rows: v.number(), sha256: v.string() }),
  v.object({
    kind: v.literal("sequences"),
    sequences: v.array(v.object({ name: v.string(), last: v.string(), isCalled: v.boolean() })),
  }),
  v.object({ kind: v.literal("end"), tables: v.number(), sums: sumsSchema }),
]);

/** Events of a backup, in order: tables with rows, jobs with rows, sequences, end. */
export type BackupEvent = v.InferOutput<typeof eventSchema>;

const eventMark = 1;
const dataMark = 2;
const headerBytes = 5;
const maxEventBytes = 1_000_000;

export function eventRecord(event: BackupEvent): Buffer {
  return record(eventMark, Buffer.from(JSON.stringify(event)));
}

export function dataRecord(data: Buffer): Buffer {
  return record(dataMark, data);
}

function record(mark: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length);
  bytes.writeUInt8(mark, 0);
  bytes.writeUInt32BE(payload.length, 1);
  payload.copy(bytes, headerBytes);
  return bytes;
}

/** Reads events, with the data of rows between them in chunks of any size. */
export async function* readRecords(content: AsyncIterable<Buffer>): AsyncGenerator<BackupEvent | Buffer> {
  let buffered: Buffer = Buffer.alloc(0);
  /** Remaining bytes of the current record's data. */
  let remainingDataBytes = 0;
  for await (const part of content) {
    buffered = buffered.length === 0 ? part : Buffer.concat([buffered, part]);
    while (buffered.length > 0) {
      if (remainingDataBytes > 0) {
        const data = buffered.subarray(0, remainingDataBytes);
        remainingDataBytes -= data.length;
        buffered = buffered.subarray(data.length);
        yield data;
        continue;
      }
      if (buffered.length < headerBytes) break;
      const mark = buffered.readUInt8(0);
      const length = buffered.readUInt32BE(1);
      if (mark === dataMark) {
        remainingDataBytes = length;
        buffered = buffered.subarray(headerBytes);
        continue;
      }
      if (mark !== eventMark || length > maxEventBytes) throw new Error("the backup holds an unknown record");
      if (buffered.length < headerBytes + length) break;
      const json: unknown = JSON.parse(buffered.subarray(headerBytes, headerBytes + length).toString("utf8"));
      buffered = buffered.subarray(headerBytes + length);
      yield v.parse(eventSchema, json);
    }
  }
  if (buffered.length > 0 || remainingDataBytes > 0)
    throw new Error("the backup ends in the middle of a record");
}
