import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Site, startAgain, waitUntilHealthy } from "./site.ts";

export type Trial = {
  name: string;
  description: string;
  /** Whether the short drill includes the trial. */
  isShort: boolean;
  /** Whether a message may be sent twice, because a server can miss the mail server's confirmation. */
  mayRepeatMail: boolean;
  /** Whether no request may fail. */
  isGraceful?: true;
  needsSmallDisks?: true;
  /** Causes the trouble and ends it. If it leads to a new primary, returns the time of its first response (`performance.now()`). */
  run(site: Site, random: () => number): Promise<number | undefined>;
};

/** A trial's `run` for trouble that leads to no new primary. */
const withoutNewPrimary = (run: (site: Site, random: () => number) => Promise<unknown>): Trial["run"] => {
  return async (site, random) => {
    await run(site, random);
    return undefined;
  };
};

export const trials: readonly Trial[] = [
  {
    name: "calm",
    description: "nothing happens",
    isShort: false,
    mayRepeatMail: false,
    isGraceful: true,
    run: withoutNewPrimary(() => delay(8_000)),
  },
  {
    name: "kill",
    description: "kill -9 of one server after another, then of all",
    isShort: true,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ shops }, random) => {
      for (const shop of shops) {
        await delay(random() * 1_000);
        await shop.kill("server");
        await delay(random() * 1_000);
        await startAgain(shop);
        await waitUntilHealthy(shop);
      }
      await Promise.all(shops.map((shop) => shop.kill("server")));
      await Promise.all(shops.map(startAgain));
    }),
  },
  {
    name: "roll",
    description: "one server after another stops and starts as another version",
    isShort: true,
    mayRepeatMail: false,
    isGraceful: true,
    run: withoutNewPrimary(async ({ shops }) => {
      for (const shop of shops) {
        const code = await shop.stop();
        if (code !== 0) throw new Error(`${shop.name} did not stop cleanly: ${code}\n${shop.output()}`);
        await startAgain(shop);
        await waitUntilHealthy(shop);
        // Gives the balancer time to notice the server.
        await delay(1_000);
      }
    }),
  },
  {
    name: "terminate",
    description: "PostgreSQL ends every connection, again and again",
    isShort: true,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ cluster }, random) => {
      for (let time = 0; time < 6; time += 1) {
        await cluster.primary().query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = 'palmira' and backend_type = 'client backend' and pid <> pg_backend_pid()`);
        await delay(200 + random() * 1_500);
      }
    }),
  },
  {
    name: "black-hole",
    description: "every connection to the database falls silent",
    isShort: false,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ cluster }, random) => {
      cluster.address.blackHole();
      await delay(2_000 + random() * 3_000);
      cluster.address.restore();
    }),
  },
  {
    name: "fail-over",
    description: "the primary's machine is lost, the standby takes over",
    isShort: true,
    mayRepeatMail: true,
    run: (site) => takeOver(site, site.cluster.failOver),
  },
  {
    name: "switch-over",
    description: "the primary turns read-only and stays connected, the standby takes over",
    isShort: true,
    mayRepeatMail: true,
    run: (site) => takeOver(site, site.cluster.switchOver),
  },
  {
    name: "database-disk",
    description: "the primary's disk is full",
    isShort: false,
    mayRepeatMail: true,
    needsSmallDisks: true,
    run: withoutNewPrimary(async ({ cluster }) => {
      const primary = cluster.primary();
      await fillDisk(primary.home, 6_000);
      // PostgreSQL stops automatically when it cannot write its log; the supervisor restarts it.
      await delay(500);
      if (!primary.isRunning()) await primary.start();
    }),
  },
  {
    name: "server-disk",
    description: "the disk of one server is full",
    isShort: false,
    mayRepeatMail: false,
    needsSmallDisks: true,
    run: withoutNewPrimary(({ shops }) => fillDisk(shops.at(-1)?.folder ?? "", 6_000)),
  },
  {
    name: "freeze-server",
    description: "one server freezes and resumes",
    isShort: false,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ shops }, random) => {
      const shop = shops[Math.floor(random() * shops.length)];
      shop?.signal("SIGSTOP");
      await delay(8_000 + random() * 8_000);
      shop?.signal("SIGCONT");
    }),
  },
  {
    name: "freeze-database",
    description: "the primary freezes and resumes",
    isShort: false,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ cluster }, random) => {
      cluster.primary().signal("SIGSTOP");
      await delay(3_000 + random() * 4_000);
      cluster.primary().signal("SIGCONT");
    }),
  },
  {
    name: "mail",
    description: "the mail server hangs, then refuses for a while",
    isShort: false,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ smtp }) => {
      smtp.hold();
      await delay(6_000);
      smtp.next.push(...Array.from({ length: 20 }, () => "try_later" as const));
      smtp.release();
      await delay(2_000);
      smtp.next.length = 0;
    }),
  },
  {
    name: "mail-gone",
    description: "the mail server is gone for two minutes",
    isShort: false,
    mayRepeatMail: true,
    run: withoutNewPrimary(async ({ smtp }) => {
      await smtp.goAway();
      await delay(120_000);
      await smtp.comeBack();
    }),
  },
  {
    name: "provider",
    description: "the payment provider answers slowly, with conflicts, with errors, and not at all",
    isShort: true,
    mayRepeatMail: false,
    run: withoutNewPrimary(async ({ stripe }) => {
      stripe.slow({ path: "/v1/payment_intents", ms: 2_000, times: 10 });
      await delay(3_000);
      for (const how of [409, 500, "fail-after-work", "lose", "hang"] as const) {
        stripe.failNext({ path: "/v1/", how, times: 4 });
      }
      await delay(8_000);
      stripe.endTrouble();
    }),
  },
];

/** Makes the standby the new primary by `change`, then adds a new standby. Returns the time at which the new primary answered. */
async function takeOver({ cluster, isPooled }: Site, change: () => Promise<void>): Promise<number> {
  await delay(1_000);
  await change();
  // PgBouncer keeps its connections to the old primary: the operator who moves its database has to close them, or make it
  // reconnect.
  if (isPooled) cluster.address.cut();
  const answeredAt = performance.now();
  // Commits wait for a standby, so it is added after the shop has resumed on the new primary.
  await delay(5_000);
  await cluster.makeStandby();
  return answeredAt;
}

/** Keeps the disk of a folder full for `ms`. */
async function fillDisk(folder: string, ms: number): Promise<void> {
  const file = join(folder, "filler");
  const filler = openSync(file, "w");
  try {
    const block = Buffer.alloc(64 * 1024);
    for (let size = block.length; size >= 512; ) {
      try {
        writeSync(filler, block, 0, size);
      } catch {
        size /= 2;
      }
    }
    await delay(ms);
  } finally {
    closeSync(filler);
    rmSync(file);
  }
}
