import { once } from "node:events";
import { connect, type Socket } from "node:net";

type HttpResponse = { status: number; head: string; body: string };

/**
 * One keep-alive HTTP/1.1 connection with one request at a time. Much lighter than Node's own client, so that the server is
 * measured and not the client. Supports responses with status 304, Content-Length or chunks, whose bodies it does not decode;
 * throws for all others.
 */
export type KeepAliveClient = {
  send(request: string): Promise<HttpResponse>;
  close(): void;
};

export async function openClient(url: string): Promise<KeepAliveClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, "connect");
  return createClient(socket);
}

/** Accepted encodings, as browsers send them; the shop responds with the Brotli copy. */
export const acceptEncoding = "gzip, deflate, br, zstd";

/** The bytes of a request, built once and sent repeatedly. */
export function requestText(
  method: "GET" | "POST",
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): string {
  const json = body === undefined ? "" : JSON.stringify(body);
  const lines = Object.entries({
    Host: "localhost",
    ...(json ? { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(json) } : {}),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${json}`;
}

function createClient(socket: Socket): KeepAliveClient {
  let pending: { resolve(response: HttpResponse): void; reject(error: Error): void } | null = null;
  let buffered = "";
  let failure: Error | null = null;

  const fail = (error: Error) => {
    failure ??= error;
    pending?.reject(failure);
    pending = null;
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection was closed")));
  // In Latin-1 each byte is one character, so that Content-Length is also the string's length.
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    buffered += chunk;
    const headEnd = buffered.indexOf("\r\n\r\n") + 4;
    if (headEnd < 4) return;
    const head = buffered.slice(0, headEnd);
    const status = Number(head.slice(9, 12));
    const end = headEnd + bodyLength(status, head, buffered, headEnd);
    if (Number.isNaN(end)) return fail(new Error(`a response without a length: ${head}`));
    if (buffered.length < end) return;
    const body = buffered.slice(headEnd, end);
    buffered = buffered.slice(end);
    const call = pending;
    pending = null;
    call?.resolve({ status, head, body });
  });

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        pending = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Infinity if the last chunk has not arrived; NaN if the headers give no length. */
function bodyLength(status: number, head: string, buffered: string, headEnd: number): number {
  if (status === 304) return 0;
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) {
    return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  }
  // The first line break of the last chunk may be that of the headers.
  const end = buffered.indexOf(lastChunk, headEnd - 2);
  return end < 0 ? Number.POSITIVE_INFINITY : end + lastChunk.length - headEnd;
}

const lastChunk = "\r\n0\r\n\r\n";
