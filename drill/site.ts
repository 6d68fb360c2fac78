import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type FakeSmtp, startFakeSmtp } from "../test/fake-smtp.ts";
import { type FakeStripe, startFakeStripe } from "../test/fake-stripe.ts";
import { type FragileShop, fragileShop } from "../test/fragile-shop.ts";
import { freePort } from "../test/free-port.ts";
import { openPgBouncer, pgbouncerProgram } from "../test/pgbouncer.ts";
import { openTcpProxy, type TcpProxy } from "../test/tcp-proxy.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import {
  findPrograms,
  type PostgresServer,
  type Programs,
  promote,
  startPrimary,
  startStandby,
} from "./postgres.ts";
import { type DrillResources, findMountProblem } from "./resources.ts";
import { waitUntil } from "./until.ts";

const shopServerCount = 3;
export const accessCode = "drilled-every-week";
/** Size of the small disk mounted at one server's folder, which a trial fills up. */
const smallDiskMegabytes = 24;

/** Size of a database's disk: for all trials and PostgreSQL's log, and in addition for each minute of the soak. */
const databaseDisk = { megabytes: 640, megabytesPerMinute: 60 };

/** A shop of three servers on one machine with database, balancer, mail server and payment provider. */
export type Site = {
  resources: DrillResources;
  cluster: Cluster;
  shops: readonly ShopServer[];
  balancer: Balancer;
  stripe: FakeStripe;
  smtp: FakeSmtp;
  /** Whether PgBouncer is between the shop and the database. */
  isPooled: boolean;
  /** Null if databases and the last server have small disks, otherwise the reason why not. */
  smallDisksProblem: string | null;
  /** Database, pooler and balancer in use, for the report. */
  software: string;
};

export type ShopServer = FragileShop & {
  name: string;
  /** The base URL; valid even while the server is stopped. */
  origin: string;
  /** The server's data folder. */
  folder: string;
};

/** `onlyEmbedded`: only programs from npm. `minutes`: duration of the soak. */
export async function buildSite(
  resources: DrillResources,
  options: { onlyEmbedded: boolean; wantsSmallDisks: boolean; minutes: number },
): Promise<Site> {
  const { onlyEmbedded, minutes } = options;
  const smallDisksProblem = options.wantsSmallDisks ? findMountProblem() : "not requested";
  const hasSmallDisks = smallDisksProblem === null;
  const programs = await findPrograms(onlyEmbedded);
  const cluster = await startCluster({
    resources,
    programs,
    diskMegabytes: hasSmallDisks ? databaseDisk.megabytes + databaseDisk.megabytesPerMinute * minutes : null,
  });
  const stripe = await startFakeStripe();
  const smtp = await startFakeSmtp();
  const pooler = onlyEmbedded ? null : await startPooler(resources, cluster);
  const environment = {
    DATABASE_URL: pooler ?? cluster.url,
    DATABASE_DIRECT_URL: cluster.url,
    SESSION_SECRET: "the same on every server",
    ADMIN_ACCESS_CODE: accessCode,
    ...stripe.env,
    SMTP_URL: smtp.url,
    OWNER_EMAIL: "owner@example.com",
    TRUST_PROXY: "127.0.0.1",
    // Shorter than the default of 5 s behind a proxy, but longer than a balancer needs to notice on a busy machine.
    DRAIN_S: "2",
    RESERVATION_S: "60",
    RECONCILE_EVERY_S: "5",
    LOG_LEVEL: "warn",
  };
  const shops: ShopServer[] = [];
  for (let number = 1; number <= shopServerCount; number += 1) {
    const port = await freePort();
    const folder = join(resources.folder, `shop-${number}`);
    if (hasSmallDisks && number === shopServerCount) resources.mount(folder, smallDiskMegabytes);
    const shop = fragileShop({ ...environment, PORT: String(port), DATA_DIR: folder });
    resources.atEnd(() => shop.signal("SIGKILL"));
    shops.push({ ...shop, name: `shop ${number}`, origin: `http://127.0.0.1:${port}`, folder });
  }
  // The first server creates the tables.
  await shops[0]?.start().opened;
  await Promise.all(shops.slice(1).map((shop) => shop.start().opened));
  await cluster.primary().query("update stock set on_hand = $1", [initialStock]);
  const balancer = await startBalancer({ resources, ports: shops.map(serverPort), onlyEmbedded });
  await Promise.all(shops.map(waitUntilHealthy));
  const software = `PostgreSQL ${programs.version}, ${pooler === null ? "no PgBouncer" : "PgBouncer"}, ${balancer.name}`;
  const isPooled = pooler !== null;
  return { resources, cluster, shops, balancer, stripe, smtp, isPooled, smallDisksProblem, software };
}

/** PgBouncer in transaction mode in front of the cluster's address; null if it is not installed. */
async function startPooler(resources: DrillResources, cluster: Cluster): Promise<string | null> {
  if (pgbouncerProgram === null) return null;
  const pooler = await openPgBouncer(cluster.url, {
    poolSize: 30,
    // The default of 15 s after a failed log-in would be the longest part of a failover.
    settings: ["server_login_retry = 1"],
  });
  resources.atEnd(() => void pooler.kill());
  return pooler.through(cluster.url);
}

export const initialStock = 1_000_000;

/** Starts a stopped server as a supervisor does: repeatedly, if the database is not available. */
export async function startAgain(shop: ShopServer): Promise<void> {
  await waitUntil(`${shop.name} starts`, () =>
    shop.start().opened.then(
      () => true,
      () => false,
    ),
  );
}

/** Waits until a server can sell and reports no degraded part; returns how long that took (ms). */
export async function waitUntilHealthy(shop: ShopServer): Promise<number> {
  const startedAt = performance.now();
  await waitUntil(`${shop.name} is healthy`, async () => (await degradedParts(shop)) === null);
  return performance.now() - startedAt;
}

/** Degraded parts reported by /readyz; null if there are none. */
export async function degradedParts(shop: ShopServer): Promise<string | null> {
  try {
    const response = await fetch(`${shop.origin}/readyz`, { signal: AbortSignal.timeout(2_000) });
    const { status, degraded } = (await response.json()) as { status: string; degraded?: object };
    return response.ok && degraded === undefined ? null : JSON.stringify(degraded ?? status);
  } catch (error) {
    return String(error);
  }
}

/** Values of one metric of a server, one per set of labels. */
export async function readMetric(shop: ShopServer, name: string): Promise<number[]> {
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
  return [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm"))].map(([, value]) =>
    Number(value),
  );
}

/** Waits until a server has run further jobs and reports no degraded part; returns how long that took (ms). */
export async function waitUntilWorking(shop: ShopServer): Promise<number> {
  const startedAt = performance.now();
  await waitUntilHealthy(shop);
  const countFinishedJobs = async () =>
    (await readMetric(shop, "job_duration_seconds_count")).reduce((sum, count) => sum + count, 0);
  const initialCount = await countFinishedJobs();
  await waitUntil(`${shop.name} runs jobs`, async () => (await countFinishedJobs()) > initialCount);
  return performance.now() - startedAt;
}

function serverPort({ origin }: ShopServer): number {
  return Number(new URL(origin).port);
}

/** Time (ms) after which a failover manager declares the primary lost. */
const detectionMs = 5_000;

/** A primary with a synchronous standby, behind one address. */
type Cluster = {
  primary(): PostgresServer;
  /** Points at the primary; network faults are injected here. */
  address: TcpProxy;
  /** Database URL that goes through `address`. */
  url: string;
  /**
   * Loses the primary's machine: its connections hang without being closed. The standby takes over the address. Returns when
   * the new primary responds.
   */
  failOver(): Promise<void>;
  /**
   * Makes the primary read-only and promotes the standby; new connections reach the standby. Existing connections stay with
   * the old primary, as behind a DNS name.
   */
  switchOver(): Promise<void>;
  /** Replaces the old primary with a new standby. */
  makeStandby(): Promise<void>;
};

/** `diskMegabytes`: size of a separate disk for each server, which can be filled; null for no separate disks. */
async function startCluster(options: {
  resources: DrillResources;
  programs: Programs;
  diskMegabytes: number | null;
}): Promise<Cluster> {
  const { resources, diskMegabytes } = options;
  let serverCount = 0;
  const newServer = async () => {
    serverCount += 1;
    const name = `postgres-${serverCount}`;
    const home = join(resources.folder, name);
    if (diskMegabytes !== null) resources.mount(home, diskMegabytes);
    return { ...options, name, home, port: await freePort() };
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
      await delay(detectionMs);
      await takeOver();
      address.restore();
    },
    async switchOver() {
      await primary.query("alter system set default_transaction_read_only = on");
      await primary.query("select pg_reload_conf()");
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
