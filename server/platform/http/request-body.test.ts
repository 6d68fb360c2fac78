import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { discardBody, readBody, readUpload } from "./request-body.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const kib = 1024;

/** A request whose body arrives in pieces of 64 KiB, one in every `everyMs`. */
function slowRequest({
  pieces,
  everyMs,
  head = "",
  length,
}: {
  pieces: number;
  everyMs: number;
  head?: string;
  length?: string;
}) {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    async pull(controller) {
      if (sent === pieces) {
        if (head) controller.enqueue(new TextEncoder().encode("\r\n--b--\r\n"));
        return controller.close();
      }
      sent += 1;
      await new Promise((done) => setTimeout(done, everyMs));
      controller.enqueue(new Uint8Array(64 * kib));
    },
  });
  const headers = {
    "Content-Type": "multipart/form-data; boundary=b",
    ...(length && { "Content-Length": length }),
  };
  const init = { method: "POST", body, headers, duplex: "half" };
  return { request: new Request("http://shop.example/", init as RequestInit), sentPieces: () => sent };
}

test.each([
  ["of unknown length", {}],
  ["of announced length", { length: "65536" }],
])("a body %s that does not arrive within half a minute is refused", async (_, announced) => {
  const response = readBody(slowRequest({ pieces: 1, everyMs: 60_000, ...announced }).request);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await response).toMatchObject({ problem: "aborted", headers: { Connection: "close" } });
});

test("an upload over a slow connection is read, and one that nearly stalls is refused", async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n';
  const upload = (everyMs: number) =>
    readUpload(slowRequest({ pieces: 100, everyMs, head }).request, {
      field: "photo",
      maxBytes: 8_000 * kib,
    });
  const slow = upload(1_000);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(await slow).toMatchObject({ file: { name: "a.jpg", bytes: { length: 6_400 * kib } } });
  const slower = upload(5_000);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await slower).toMatchObject({ problem: "aborted" });
});

test("the body of a refused upload is read to its end, because its sender reads no response before that", async () => {
  const { request, sentPieces } = slowRequest({ pieces: 20, everyMs: 0 });
  const dropped = discardBody(request);
  await vi.advanceTimersByTimeAsync(1_000);
  await dropped;
  expect(sentPieces()).toBe(20);
});

test.each(["a.jpg", 'a "quoted" name.jpg', 'l\u00EDnea--b; name="photo"; filename="\u202Egpj.exe'])(
  "a form is read as the standard's own parser reads it: file name %j",
  async (name) => {
    const form = new FormData();
    form.set("odd name", "--b\r\n\r\nvalue\u{1F600}");
    form.set("photo", new File(["\r\n--b\r\n--b--\r\n", new Uint8Array([0, 255, 13, 10])], name));
    form.append("photo", "a second value");
    form.set("__proto__", "x");
    const whole = new Response(form);
    const bytes = await whole.arrayBuffer();
    const headers = { "Content-Type": whole.headers.get("content-type") ?? "" };
    const read = await readUpload(
      new Request("http://shop.example/", { method: "POST", body: bytes, headers }),
      {
        field: "photo",
        maxBytes: 1_000,
      },
    );
    const expected = await new Response(bytes, { headers }).formData();
    const file = expected.get("photo");
    if ("problem" in read || !(file instanceof File)) throw new Error("there is no file");
    expect(read.file.name).toBe(file.name);
    expect([...read.file.bytes]).toEqual([...new Uint8Array(await file.arrayBuffer())]);
    const texts = [...expected].filter(([, value]) => typeof value === "string");
    expect(read.fields).toEqual(Object.fromEntries(texts));
  },
);

test.each([
  ["without a boundary", "multipart/form-data; x", "--b--"],
  [
    "cut in a part",
    "multipart/form-data; boundary=b",
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
  ],
  [
    "with endless headers",
    "multipart/form-data; boundary=b",
    `--b\r\n${"A: b\r\n".repeat(10_000)}\r\nx\r\n--b--`,
  ],
  ["that begins elsewhere", "multipart/form-data; boundary=b", "x\r\n--b--"],
])("a form %s is refused", async (_, type, body) => {
  const request = new Request("http://shop.example/", {
    method: "POST",
    body,
    headers: { "Content-Type": type },
  });
  const upload = { field: "photo", maxBytes: 1_000_000 };
  expect(await readUpload(request, upload)).toMatchObject({ problem: "invalid_json" });
});
