import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findOperatorCommands } from "./operator-commands.ts";

test("an installed shop's instructions use the `palmira` command, since npm would look for the data in the wrong folder", () => {
  const program = mkdtempSync(join(tmpdir(), "palmira-commands-"));
  onTestFinished(() => rmSync(program, { recursive: true }));
  const readCommands = () => Object.values(findOperatorCommands(program));
  expect(readCommands().every((command) => command.startsWith("npm "))).toBe(true);

  writeFileSync(join(program, ".installed"), "");
  expect(readCommands().every((command) => command.startsWith("palmira "))).toBe(true);
});
