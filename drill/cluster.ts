import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import { openTcpProxy, type TcpProxy } from "../test/tcp-proxy.ts";
import type { Belongings } from "./belongings.ts";
import { type PostgresServer, type Programs, promote, startPrimary, startStandby } from "./postgres.ts";

/** How long a lost primary is waited for before the standby takes over (ms). */
const noticeMs = 5_000;

/** A primary with a synchronous standby, behind the one address that the shop knows. */
export type Cluster = {
  primary(): PostgresServer;
  /** The address, which points at the primary. Troubles of the network happen here. */
  address: TcpProxy;
  /** Of the database, by way of the address. */
  url: string;
  /**
   * The primary's machine is lost: whoever is connected hears nothing more, not even that it is gone. The standby takes
   * over its address. Returns when the new primary answers.
   */
  failOver(): Promise<void>;
  /**
   * The primary takes no more writes, the standby takes over, and the address points to it for whoever connects from now
   * on. What is connected to the old one stays so, as behind an address in the DNS.
   */
  switchOver(): Promise<void>;
  /** Gives a primary that is alone a standby again, in the place of the old primary. */
  makeStandby(): Promise<void>;
};

/** `diskMegabytes`: each server has a disk of its own that can be filled; null: they share the machine's. */
export async function startCluster(parts: {
  belongings: Belongings;
  programs: Programs;
  diskMegabytes: number | null;
}): Promise<Cluster> {
  const { belongings, diskMegabytes } = parts;
  let made = 0;
  const newServer = async () => {
    made += 1;
    const name = `postgres-${made}`;
    const home = join(belongings.folder, name);
    if (diskMegabytes !== null) belongings.mount(home, diskMegabytes);
    return { ...parts, name, home, port: await freePort() };
  };
  let primary = await startPrimary(await newServer());
  let standby = await startStandby(await newServer(), primary);
  let old: PostgresServer | null = null;
  const address = await openTcpProxy(primary.url);

  async function takeOver(): Promise<void> {
    await promote(standby);
    [old, primary] = [primary, standby];
    address.pointTo(primary.url);
  }

  return {
    primary: () => primary,
    address,
    url: address.through(primary.url),
    async failOver() {
      address.blackHole();
      primary.kill();
      // Until what looks after the database has made sure.
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
      old?.kill();
      standby = await startStandby(await newServer(), primary);
      old?.remove();
      old = null;
    },
  };
}
