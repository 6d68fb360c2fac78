import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type TcpProxy = {
  port: number;
  /** `databaseUrl`, but through the proxy. */
  through(databaseUrl: string): string;
  /**
   * Drops packets like a firewall: connections stay open without receiving anything, and new ones are left without a response. Lost
   * connections stay lost after `restore`.
   */
  blackHole(): void;
  /** Forwards new connections again. */
  restore(): void;
  /** Resets every connection; with `refuse` new ones as well. */
  cut(options?: { refuse?: boolean }): void;
  /** Delays data in both directions by this many milliseconds. */
  delay(ms: number): void;
  /** Calls `isForwarded` before each piece of data from a client; false drops the piece, true forwards it. */
  watch(isForwarded: (() => boolean) | null): void;
  /** New connections lead to the server of this URL. */
  pointTo(databaseUrl: string): void;
  /** Number of connected clients, including those in the black hole. */
  connections(): number;
  close(): Promise<void>;
};

/** A TCP proxy in front of the server at `target`, a URL with host and port, or with a socket's folder in `host=`. */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  let upstream = socketAddress(new URL(target));
  const pairs = new Set<{ client: Socket; server: Socket | null; isLost: boolean }>();
  const servers = new Set<Socket>();
  let mode: "forwards" | "swallows" | "refuses" = "forwards";
  let delayMs = 0;
  let watcher: (() => boolean) | null = null;

  const listener = createServer((client) => {
    if (mode === "refuses") {
      client.resetAndDestroy();
      return;
    }
    const isLost = mode === "swallows";
    const server = isLost ? null : connect(upstream);
    const pair = { client, server, isLost };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      // A client abandons a dead connection silently: its packets are dropped as well.
      if (!pair.isLost) server?.destroy();
      client.destroy();
    };
    client.on("error", end).on("close", end);
    if (server === null) {
      client.resume();
      return;
    }
    servers.add(server);
    server
      .on("error", () => {})
      .on("close", () => {
        servers.delete(server);
        if (!pair.isLost) end();
      });
    forward(pair, client, server);
    forward(pair, server, client);
  });

  function forward(pair: { client: Socket; isLost: boolean }, from: Socket, to: Socket): void {
    let queue: Promise<unknown> = Promise.resolve();
    from.on("data", (chunk: Buffer) => {
      if (pair.isLost || (from === pair.client && watcher?.() === false)) return;
      if (delayMs === 0) {
        queue = queue.then(() => pair.isLost || to.write(chunk));
        return;
      }
      const delayed = pause(delayMs, null, { ref: false });
      queue = queue.then(() => delayed).then(() => pair.isLost || to.write(chunk));
    });
  }

  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  const { port } = address;

  return {
    port,
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.searchParams.delete("host");
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    blackHole() {
      mode = "swallows";
      for (const pair of pairs) pair.isLost = true;
    },
    restore() {
      mode = "forwards";
    },
    cut({ refuse = false } = {}) {
      mode = refuse ? "refuses" : "forwards";
      for (const { client, server } of pairs) {
        server?.destroy();
        client.resetAndDestroy();
      }
    },
    delay(ms) {
      delayMs = ms;
    },
    watch(isForwarded) {
      watcher = isForwarded;
    },
    pointTo(databaseUrl) {
      upstream = socketAddress(new URL(databaseUrl));
    },
    connections: () => pairs.size,
    async close() {
      listener.close();
      for (const { client } of pairs) client.destroy();
      for (const server of servers) server.destroy();
      await once(listener, "close");
    },
  };
}

function socketAddress(url: URL): { path: string } | { host: string; port: number } {
  const folder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  return folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` };
}
