import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { numbersFrom } from "../test/seeded.ts";
import { watchShop } from "./calls.ts";
import { checkBooks } from "./checks.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { type Owner, openPanel } from "./owner.ts";
import { generousBounds, type Outcome, promisedBounds, report, reportSeries } from "./report.ts";
import { createDrillResources } from "./resources.ts";
import { buildSite, type Site, waitUntilWorking } from "./site.ts";
import { isGrowing, soak } from "./soak.ts";
import { type Trial, trials } from "./trials.ts";

// `npm run drill`: breaks a running shop. Exit code 1 if an order was lost or a time limit missed.

const buyersAtOnce = 6;
const pauseMs = 150;

type Options = {
  trials: string[];
  seed: number;
  /** Duration of the soak; 0 for none. */
  minutes: number;
  isShort: boolean;
  /** Whether to use only programs from npm, not Debian's. */
  onlyEmbedded: boolean;
  /** Folder for the logs of servers and databases; null if they are to be deleted. */
  logs: string | null;
};

const usage = `npm run drill -- [options]

Builds a shop of three servers with a replicated database on this machine, lets buyers pay, and breaks things.

  --trials a,b   only these trials: ${trials.map(({ name }) => name).join(", ")}
  --short        only the trials that need nothing but what npm installs; takes three minutes, with generous time limits
  --minutes 30   after the trials, sells for 30 minutes, and fails if memory, sockets, connections or tables grow
  --seed 7       chooses other moments for the failures
  --logs folder  keeps the logs of servers and databases
  --embedded     uses the PostgreSQL from npm, even if Debian's is installed
`;

try {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(usage);
    process.exit(0);
  }
  process.exit((await drill(options)) ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function drill(options: Options): Promise<boolean> {
  const random = numbersFrom(options.seed);
  const startedAt = performance.now();
  const selectedTrials = options.trials.flatMap((name) => trials.find((trial) => trial.name === name) ?? []);
  const resources = createDrillResources();
  const wantsSmallDisks = selectedTrials.some(({ needsSmallDisks }) => needsSmallDisks);
  const site = await buildSite(resources, { ...options, wantsSmallDisks });
  printStep(`Three servers, ${site.software}; seed ${options.seed}`);
  const owner = await openPanel(site);
  const pictures = await owner.upload().catch((error: unknown) => String(error));
  const { stripe, balancer } = site;
  const ledger = openLedger({ url: balancer.url, stripe, owner, random, buyersAtOnce, pauseMs });

  const outcomes: Outcome[] = [];
  for (const trial of selectedTrials) {
    const outcome = await runTrial(trial, { site, ledger, owner, random });
    outcomes.push(outcome);
    printStep(
      outcome.skipReason === null
        ? `${trial.name}: ${trial.description}`
        : `${trial.name} skipped: ${outcome.skipReason}`,
    );
  }
  ledger.startTrial("");
  const series = options.minutes > 0 ? await soak(site, options.minutes) : [];
  await ledger.close();
  const findings = await checkBooks(site, { ledger, owner, pictures });
  if (options.logs !== null) keepLogs(site, outcomes, options.logs);
  findings.problems.push(...series.filter(isGrowing).map(({ name }) => `${name} grows`));
  const { lines, hasPassed } = report(outcomes, findings, options.isShort ? generousBounds : promisedBounds);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const { edits, drafts } = ledger.races.count();
  const raceCounts = `${edits} refunded while an edit waited, ${drafts} drafts paid twice at once`;
  const counts = `${ledger.purchases.length} orders paid, ${raceCounts}, ${ledger.calls()} calls, ${minutes} minutes`;
  if (series.length > 0) console.log(`\n${reportSeries(series).join("\n")}`);
  console.log(`\n${lines.join("\n")}\n\n${counts}: ${hasPassed ? "passed" : "FAILED"}`);
  return hasPassed;
}

async function runTrial(
  trial: Trial,
  context: { site: Site; ledger: Ledger; owner: Owner; random: () => number },
): Promise<Outcome> {
  const { site, ledger, owner, random } = context;
  const { name, isGraceful = false, mayRepeatMail } = trial;
  const initialCounts = { orders: ledger.purchases.length, brokenCalls: ledger.brokenCalls.length };
  ledger.startTrial(name);
  const watch = watchShop(site);
  const skipReason = trial.needsSmallDisks ? site.smallDisksProblem : null;
  const answeredAt = skipReason === null ? await trial.run(site, random) : undefined;
  const waits = await Promise.all(site.shops.map(waitUntilWorking));
  await delay(1_000);
  const observations = await watch.stop();
  const brokenCalls = [
    ...ledger.brokenCalls.slice(initialCounts.brokenCalls).filter(({ trial }) => trial === name),
    ...observations.failures,
  ];
  const lastFailure = Math.max(0, ...brokenCalls.map(({ startedAt, ms }) => startedAt + ms));
  return {
    name,
    skipReason,
    orders: ledger.purchases.length - initialCounts.orders,
    brokenCalls,
    longestOutageMs: observations.longestOutageMs,
    failingAfterMs: answeredAt === undefined ? null : Math.max(0, lastFailure - answeredAt),
    cachesMs: await owner.editText(`Said after ${name}, ${Math.floor(random() * 1e9)}`),
    recoveryMs: Math.max(...waits),
    isGraceful,
    mayRepeatMail,
  };
}

function keepLogs({ resources, shops }: Site, outcomes: readonly Outcome[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const lines = outcomes.flatMap(({ name, brokenCalls }) =>
    brokenCalls.map((call) => JSON.stringify({ trial: name, ...call })),
  );
  writeFileSync(join(folder, "broken-calls.log"), lines.join("\n"));
  for (const shop of shops) writeFileSync(join(folder, `${shop.name}.log`), shop.output());
  for (const name of readdirSync(resources.folder).filter((file) => file.endsWith(".log"))) {
    copyFileSync(join(resources.folder, name), join(folder, name));
  }
}

function printStep(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);
}

/** Throws an error with usage if an option is wrong. */
function readOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      trials: { type: "string" },
      short: { type: "boolean", default: false },
      minutes: { type: "string", default: "0" },
      seed: { type: "string", default: "20261122" },
      logs: { type: "string" },
      embedded: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const defaults = trials.filter(({ isShort }) => isShort || !values.short).map(({ name }) => name);
  const names = values.trials?.split(",").filter((name) => name !== "") ?? defaults;
  const unknownNames = names.filter((name) => trials.every((trial) => trial.name !== name));
  if (unknownNames.length > 0)
    throw new Error(`There is no trial “${unknownNames.join("”, “")}”.\n\n${usage}`);
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes >= 0) || !Number.isInteger(seed)) throw new Error(`Not a number.\n\n${usage}`);
  return {
    trials: names,
    seed,
    minutes,
    isShort: values.short,
    onlyEmbedded: values.embedded,
    logs: values.logs ?? null,
  };
}
