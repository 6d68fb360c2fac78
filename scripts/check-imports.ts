import { join } from "node:path";
import { findViolations } from "./imports/violations.ts";

/** Says which files import what they must not, or write another feature's tables; exit code 1 if any does. */
const violations = findViolations(join(import.meta.dirname, ".."));
for (const { file, problem } of violations) console.error(`${file}: ${problem}`);
process.exitCode = violations.length > 0 ? 1 : 0;
