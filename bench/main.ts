import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { measureBackup } from "./backup.ts";
import { measureExpiry } from "./expiry.ts";
import { measureExport, measureFileRates } from "./export.ts";
import { type Figure, median, printComparisons, printFigures, printGrowth, printMedians } from "./figures.ts";
import { fillOrders, fillReviews } from "./fill-panel.ts";
import { measureNewsletter } from "./newsletter.ts";
import { compareOrders, measureMail, measureOrders } from "./orders.ts";
import { measurePages, measurePriceChange } from "./pages.ts";
import { largePanel, measurePanels, openPanel, smallPanel } from "./panel.ts";
import { measureLighthouse, measurePhone } from "./phone.ts";
import { readMemory } from "./processes.ts";
import { startShop } from "./shop-process.ts";

const startCount = 3;
const smallOrderCount = 1_000;
const largeOrderCount = 100_000;
/** Enough rounds that the p99 is not a single slow response. */
const panelRounds = 110;
/** Fewer rounds, because the part `books` prints medians. */
const bookRounds = 25;
const abandonedOrders = 300;
const readers = process.argv[2] === "newsletter" ? Number(process.argv[3] ?? 10_000) : 10_000;

/**
 * `npm run bench` measures the parts of `wholeRun`, and `npm run bench -- PART` one part: `expiry 5000` with that many abandoned
 * orders, `newsletter 1000` with that many readers, `orders ../other` in comparison with another checkout.
 */
const parts: Record<string, () => Promise<void>> = {
  install: async () =>
    printFigures("Installation", [...measureInstallation(), ...(await measureFirstStart())]),
  raw: async () => (await measureRequests()).shop.stop(),
  shop: measureShop,
  panel: measurePanel,
  mail: async () => printFigures("Mail", await measureMail(newFolder())),
  newsletter: async () =>
    printFigures(`Newsletter to ${readers} readers`, await measureNewsletter(newFolder(), readers)),
  backup: measureBackups,
  expiry: measureBackground,
  books: measureBooks,
  export: measureFiles,
  orders: () => compareOrders(newFolder, process.argv[3]),
};
const wholeRun = ["install", "shop", "panel", "mail", "backup", "expiry"];

const startedAt = performance.now();
const folders: string[] = [];
const [, , part, size = abandonedOrders] = process.argv;
console.log(`Node ${process.version} on ${cpus().length} cores. ${durationText(part)}`);
try {
  for (const name of part === undefined ? wholeRun : [part]) {
    const measure = parts[name];
    if (!measure) throw new Error(`There is no part ${name}, only ${Object.keys(parts).join(", ")}.`);
    await measure();
  }
  console.log(`\nTook ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A folder for the data of a shop, deleted at the end. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palmira-bench-"));
  folders.push(folder);
  return folder;
}

/** Measures start, requests in comparison with a bare node:http server, memory after orders, and pages on a phone. */
async function measureRequests() {
  const dataDir = newFolder();
  // The first start creates the database.
  await (await startShop(dataDir)).stop();
  const startTimes: number[] = [];
  for (let start = 1; start < startCount; start += 1) {
    const restartedShop = await startShop(dataDir);
    startTimes.push(restartedShop.startedInMs);
    await restartedShop.stop();
  }
  const shop = await startShop(dataDir);
  startTimes.push(shop.startedInMs);
  await fillReviews(shop.pool, smallOrderCount);

  const server = [...(await measurePages(shop)), ...(await measureOrders(shop))];
  const start = median(startTimes) / 1_000;
  printFigures("Server", [
    { name: "npm start to ready, not the first time", value: start, unit: "s", target: { max: 1 } },
    ...server,
    ...memoryFigures(shop.pid),
  ]);
  const phone = await measurePhone(shop.url);
  printFigures("A phone on slow 4G with a quarter of the processor", phone);
  return { shop, server, phone };
}

async function measureShop(): Promise<void> {
  const { shop, server, phone } = await measureRequests();
  printFigures("Lighthouse, mobile", await measureLighthouse(shop.url));

  await fillReviews(shop.pool, largeOrderCount);
  await fillOrders(shop.pool, largeOrderCount);
  printGrowth(
    `With ${smallOrderCount} and with ${largeOrderCount} reviews and orders: at most a fifth worse`,
    [...server, ...phone],
    [...(await measurePages(shop)), ...(await measureOrders(shop)), ...(await measurePhone(shop.url))],
  );
  await shop.stop();
}

/** Measures books, lists and searches with 100 and with 100,000 orders, and the files of 100,000 orders. */
async function measureBooks(): Promise<void> {
  const [smallShop, largeShop] = await openPanels();
  const comparisons = await measurePanels(smallShop, largeShop, bookRounds, /^(?!page )/);
  await smallShop.shop.stop();
  printMedians("With 100 and with 100,000 orders", comparisons);
  const books = comparisons.filter(({ name }) => name === "books, 12 months");
  const rates = await measureFileRates(largeShop);
  printFigures("With 100,000 orders", [
    ...books.map(({ name, large }) => ({ name, value: large.p50, unit: "ms", target: { max: 15 } })),
    ...rates,
  ]);
  await largeShop.shop.stop();
}

async function measurePanel(): Promise<void> {
  const [smallShop, largeShop] = await openPanels();
  const comparisons = await measurePanels(smallShop, largeShop, panelRounds);
  await smallShop.shop.stop();
  printComparisons("The owner's calls and pages with 100 and with 100,000 orders and reviews", comparisons);
  printFigures(`With ${largePanel.orders} orders`, await measurePriceChange(largeShop));
  printFigures("While the owner loads the file of all orders", await measureExport(largeShop));
  await largeShop.shop.stop();
}

async function measureFiles(): Promise<void> {
  const panel = await openPanel(newFolder(), largePanel);
  printFigures("While the owner loads the file of all orders", await measureExport(panel));
  printFigures(`Files of ${largePanel.orders} orders`, await measureFileRates(panel));
  await panel.shop.stop();
}

async function openPanels() {
  return [await openPanel(newFolder(), smallPanel), await openPanel(newFolder(), largePanel)] as const;
}

async function measureBackups(): Promise<void> {
  const dataDir = newFolder();
  const panel = await openPanel(dataDir, largePanel);
  printFigures(`Backups of ${largePanel.orders} orders`, await measureBackup(panel, dataDir));
  await panel.shop.stop();
}

async function measureBackground(): Promise<void> {
  const dataDir = newFolder();
  await (await startShop(dataDir)).stop();
  const figures = await measureExpiry(dataDir, Number(size));
  printFigures("Background work, at 300 ms a call to Stripe", figures);
}

function durationText(part: string | undefined): string {
  if (part === undefined) return "Takes about ten minutes.";
  return part === "panel" || part === "books" ? "Takes about three minutes." : "";
}

function memoryFigures(pid: number): Figure[] {
  const memory = readMemory(pid);
  if (!memory) return [];
  const { processes, rssMb, pssMb } = memory;
  const note = `(${processes} processes, ${pssMb === null ? "RSS" : `what they share counted once; RSS ${rssMb.toFixed(0)}`})`;
  return [{ name: "memory after that", value: pssMb ?? rssMb, unit: "MB", target: { max: 240 }, note }];
}

const root = join(import.meta.dirname, "..");

/** Sizes of the installed packages and of those in a production install. */
function measureInstallation(): Figure[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const packages: [string, { dev?: true }][] = Object.entries(lock.packages);
  const productionPackages = packages.filter(
    ([path, { dev }]) => path !== "" && !dev && existsSync(join(root, path)),
  );
  return [
    { name: "node_modules", value: megabytes(["node_modules"]), unit: "MB", target: { max: 700 } },
    {
      name: "of that in a production install",
      value: megabytes(productionPackages.map(([path]) => path)),
      unit: "MB",
      target: { max: 350 },
    },
  ];
}

/** Time from `npm start` in a fresh clone of the last commit, installation and build included, until the shop is open. */
async function measureFirstStart(): Promise<Figure[]> {
  const clone = mkdtempSync(join(tmpdir(), "palmira-clone-"));
  try {
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const shop = await startShop(join(clone, "data"), {}, clone);
    await shop.stop();
    const seconds = shop.startedInMs / 1_000;
    return [{ name: "first start from a clean checkout", value: seconds, unit: "s", target: { max: 45 } }];
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/** Disk space; hard-linked files are counted once. */
function megabytes(paths: string[]): number {
  const output = execFileSync("du", ["-cskx", ...paths], { cwd: root, encoding: "utf8" });
  return Number(/^(\d+)\s+total$/m.exec(output)?.[1]) / 1024;
}
