import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import { openTcpProxy, type TcpProxy } from "../test/tcp-proxy.ts";
import { type PostgresServer, type Programs, promote, startPrimary, startStandby } from "./postgres.ts";
import type { DrillResources } from "./resources.ts";

/** Time (ms) from the loss of the primary until the standby takes over. */
const noticeMs = 5_000;

/** A primary with a synchronous standby, behind one address. */
export type Cluster = {
  primary(): PostgresServer;
  /** Points at the primary; network faults are injected here. */
  address: TcpProxy;
  /** The database's, through the address. */
  url: string;
  /**
   * Loses the primary's machine: its connections hang without being closed. The standby takes over the address. Returns when
   * the new primary answers.
   */
  failOver(): Promise<void>;
  /**
   * Makes the primary read-only and promotes the standby; new connections reach the standby. Existing connections stay with
   * the old primary, as behind a DNS name.
   */
  switchOver(): Promise<void>;
  /** Replaces the old primary by a new standby. */
  makeStandby(): Promise<void>;
};

/** `diskMegabytes`: size of each server's own disk, which can be filled; null: no own disk. */
export async function startCluster(parts: {
  resources: DrillResources;
  programs: Programs;
  diskMegabytes: number | null;
}): Promise<Cluster> {
  const { resources, diskMegabytes } = parts;
  let serverCount = 0;
  const newServer = async () => {
    serverCount += 1;
    const name = `postgres-${serverCount}`;
    const home = join(resources.folder, name);
    if (diskMegabytes !== null) resources.mount(home, diskMegabytes);
    return { ...parts, name, home, port: await freePort() };
  };
  let primary = await startPrimary(await newServer());
  let standby = await startStandby(await newServer(), primary);
  let oldPrimary: PostgresServer | null = null;
  const address = await openTcpProxy(primary.url);

  async function takeOver(): Promise<void> {
    await promote(standby);
    [oldPrimary, primary] = [primary, standby];
    address.pointTo(primary.url);
  }

  return {
    primary: () => primary,
    address,
    url: address.through(primary.url),
    async failOver() {
      address.blackHole();
      primary.kill();
      // As long as a failover manager takes to be sure.
      await delay(noticeMs);
      await takeOver();
      address.restore();
    },
    async switchOver() {
      await primary.ask("alter system set default_transaction_read_only = on");
      await primary.ask("select pg_reload_conf()");
      await takeOver();
    },
    async makeStandby() {
      oldPrimary?.kill();
      standby = await startStandby(await newServer(), primary);
      oldPrimary?.remove();
      oldPrimary = null;
    },
  };
}
