import { join } from "node:path";
import { findViolations } from "./imports/violations.ts";

/** Prints forbidden imports and writes to another feature's tables; exit code 1 if there are any. */
const violations = findViolations(join(import.meta.dirname, ".."));
for (const { file, problem } of violations) console.error(`${file}: ${problem}`);
process.exitCode = violations.length > 0 ? 1 : 0;
