import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const folders = "{app,domain,emails,scripts,server,test}";
export const testFiles = `${folders}/**/*.test.{ts,tsx}`;

/** Tests of servers and databases that are killed, disconnected, hang, restored or upgraded, and of programs run as processes. */
export const troubleFiles = ["e2e/trouble/*.test.ts", `${folders}/**/*.trouble.test.ts`];

/** Matches imports of what opens a database, shop, server or process: Node's modules, and the helpers in `test/`. */
const resourceImport =
  /(?:from |import\()"(?:node:(?:child_process|http|net)|.*\/(?:database|shop|filled-shop|stripe-shop|running-shop|tcp-proxy|fake-\w+|embedded-postgres|http-server)\.ts)"/;

/** Test files that need more than their own code; all others are unit tests. Determined from each file's imports. */
export const integrationFiles: string[] = globSync(testFiles, {
  cwd: root,
  exclude: troubleFiles,
}).filter((file) => resourceImport.test(readFileSync(join(root, file), "utf8")));
