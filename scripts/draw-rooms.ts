import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withDrawings } from "./imports/drawing.ts";
import { readSources } from "./imports/source.ts";

/** Writes the drawing of the rooms and the table of nouns into docs/architecture.md; a test says when they are out of date. */
const root = join(import.meta.dirname, "..");
const file = join(root, "docs/architecture.md");
writeFileSync(file, withDrawings(readFileSync(file, "utf8"), root, readSources(root)));
