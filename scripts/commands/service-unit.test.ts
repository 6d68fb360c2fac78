import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseEnvironmentFile, readServiceUnit } from "./service-unit.ts";

/** A temporary folder for units with these files. */
function unitFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "palmira-units-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text.replaceAll("FOLDER", folder));
  }
  return folder;
}

test("a service's account, folder and environment are read from unit, drop-ins and environment files", () => {
  const etc = unitFolder({
    "shop.service": `[Unit]
Description=User=nobody
[Service]
User=shop
WorkingDirectory=/opt/shop
Environment=A=1 "B=two words" C=thr\\"ee
Environment=DATA_DIR=/var/lib/shop
EnvironmentFile=FOLDER/settings
EnvironmentFile=-FOLDER/missing
`,
    settings: "B=from the file\n",
    "shop.service.d/override.conf": "[Service]\nEnvironment=DATA_DIR=/srv/shop\n",
  });
  const run = unitFolder({ "shop.service.d/override.conf": "[Service]\nUser=other\n" });

  expect(readServiceUnit("shop", [etc, run])).toEqual({
    user: "shop",
    workingDirectory: "/opt/shop",
    environment: { A: "1", B: "from the file", C: 'thr"ee', DATA_DIR: "/srv/shop" },
  });
  expect(readServiceUnit("another", [etc])).toBeNull();
});

test("an empty setting discards earlier ones", () => {
  const etc = unitFolder({
    "shop.service": "[Service]\nEnvironment=A=1\nEnvironmentFile=FOLDER/settings\n",
    settings: "B=2\n",
    "shop.service.d/10.conf": "[Service]\nEnvironment=\nEnvironment=C=3\nEnvironmentFile=\n",
  });
  expect(readServiceUnit("shop", [etc])?.environment).toEqual({ C: "3" });
});

test("an environment file is read as systemd reads it", () => {
  const text = `# a comment
; another
PLAIN=word
 SPACES = around, kept within
HASH=pass#word # and on
EMPTY=
SINGLE='as it $is\\n'
DOUBLE="with \\"quotes\\" and \\$5"
TWO_LINES=first \\
second
MIXED=a"b c"d
no assignment
LAST=yes`;
  expect(Object.fromEntries(parseEnvironmentFile(text))).toEqual({
    PLAIN: "word",
    SPACES: "around, kept within",
    HASH: "pass#word # and on",
    EMPTY: "",
    SINGLE: "as it $is\\n",
    DOUBLE: 'with "quotes" and $5',
    TWO_LINES: "first second",
    MIXED: "ab cd",
    LAST: "yes",
  });
});
