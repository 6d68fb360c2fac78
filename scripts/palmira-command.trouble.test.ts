import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../test/free-port.ts";

const root = join(import.meta.dirname, "..");
const unit = readFileSync(join(root, "deploy/systemd/palmira.service"), "utf8");
const isRoot = process.getuid?.() === 0 && existsSync("/etc/systemd");

/** Replaces systemd: starts the unit's program, and reports whether it runs. */
const systemctl = `#!/bin/sh
case "$*" in
*is-active*) [ -f "$HERE/pid" ] && kill -0 "$(cat "$HERE/pid")" ;;
*start*) setsid "$PROGRAM/node_modules/.bin/node" "$PROGRAM/scripts/as-service.ts" ../server/main >"$HERE/log" 2>&1 & echo $! >"$HERE/pid" ;;
*stop*) kill "$(cat "$HERE/pid")"; while kill -0 "$(cat "$HERE/pid")" 2>/dev/null; do sleep 0.1; done; rm "$HERE/pid" ;;
*is-failed*) exit 1 ;;
esac
`;
const journalctl = `#!/bin/sh
cat "$HERE/log"
`;

/** Commands that an operator types, with separators between their outputs. */
const session = `
mount -t tmpfs tmpfs /opt && mkdir "$PROGRAM" && mount --bind "$CHECKOUT" "$PROGRAM" || exit 1
mount -t tmpfs tmpfs /etc/systemd && mkdir /etc/systemd/system && cp "$HERE/palmira.service" /etc/systemd/system/ || exit 1
palmira() { sh "$PROGRAM/deploy/systemd/palmira" "$@" 2>&1; echo "= $1 ended with $?"; }
palmira start
palmira doctor
palmira backup "$HERE/shop/lib/first.backup"
palmira restore "$HERE/shop/lib/first.backup"
DATA_DIR="$HERE/shop/lib" "$PROGRAM/node_modules/.bin/node" "$PROGRAM/scripts/doctor.ts" 2>&1
palmira stop
mv "$HERE/shop/lib/first.backup" "$HERE/of-root/"; chown 0:0 "$HERE/of-root/first.backup"; rm -r "$HERE/shop/lib"
cd "$HERE/of-root" && palmira restore first.backup
find "$HERE/shop/lib" ! -user nobody
palmira start
palmira stop
`;

test.skipIf(!isRoot)(
  "the command palmira of an installed shop uses only the service's data, as the service's account",
  async () => {
    const here = mkdtempSync(join(tmpdir(), "palmira-installed-"));
    onTestFinished(() => rmSync(here, { recursive: true }));
    chmodSync(here, 0o711);
    for (const folder of ["bin", "of-root", "shop"]) mkdirSync(join(here, folder), { mode: 0o700 });
    chmodSync(join(here, "shop"), 0o777);
    writeFileSync(join(here, "bin/systemctl"), systemctl, { mode: 0o700 });
    writeFileSync(join(here, "bin/journalctl"), journalctl, { mode: 0o700 });
    writeFileSync(join(here, "settings"), `PORT=${await freePort()}\nDRAIN_S=0\nBACKUP_NIGHTLY=0\n`);
    writeFileSync(
      join(here, "palmira.service"),
      unit
        .replaceAll("User=palmira", "User=nobody")
        .replaceAll("/var/lib/palmira", join(here, "shop/lib"))
        .replaceAll("/etc/palmira/palmira.env", join(here, "settings")),
    );

    const { stdout } = await promisify(execFile)("unshare", ["--mount", "sh", "-c", session], {
      env: {
        PATH: `${join(here, "bin")}:${process.env.PATH}`,
        HERE: here,
        CHECKOUT: root,
        PROGRAM: "/opt/palmira",
      },
    });
    const [start = "", doctor, backup, refused, stopped, restored, again] =
      stdout.split(/= \w+ ended with (?=\d)/);

    expect(start).toMatch(/^Admin access code: \S+\nOpen at http:\S+ and sells\.\n$/m);
    expect(doctor).toMatch(/^[01]\n$|Payments/);
    expect(doctor).toContain("Backups");
    expect(backup).toContain(join(here, "shop/lib/first.backup"));
    expect(refused).toContain("The shop runs: palmira stop, then this again.");
    // Refused, because it was run by root without the command `palmira`.
    expect(stopped).toContain("belongs to nobody, and this runs as root");
    expect(restored).toContain("The shop is back as it was");
    // Nothing belongs to root, so that the service can start.
    expect(again).toMatch(/^0\nOpen at http:\S+ and sells\.\n$/);
  },
);

/** Replaces systemd for a service that is not running. */
const stoppedSystemctl = `#!/bin/sh
case "$*" in *is-active*) exit 3 ;; esac
`;

/** Each version is a folder with its unit and its name; the upgrade to a third one was cut off. */
const rollbacks = `
mount -t tmpfs tmpfs /opt && mount -t tmpfs tmpfs /etc/systemd && mkdir /etc/systemd/system || exit 1
for folder in palmira palmira.old palmira.next; do
  mkdir -p "/opt/$folder/deploy/systemd" && echo "unit of $folder" >"/opt/$folder/deploy/systemd/palmira.service"
done
for times in 1 2; do
  sh "$COMMAND" rollback >/dev/null && cat /opt/palmira/deploy/systemd/palmira.service /etc/systemd/system/palmira.service
done
# Power is lost during the third one, with the present version aside; the next command finishes it.
mv /opt/palmira /opt/palmira.aside
sh "$COMMAND" status >/dev/null 2>&1
cat /opt/palmira/deploy/systemd/palmira.service /opt/palmira.old/deploy/systemd/palmira.service
`;

test.skipIf(!isRoot)(
  "a rollback switches between two versions, also after an interrupted upgrade",
  async () => {
    const here = mkdtempSync(join(tmpdir(), "palmira-rollback-"));
    onTestFinished(() => rmSync(here, { recursive: true }));
    writeFileSync(join(here, "systemctl"), stoppedSystemctl, { mode: 0o700 });
    const { stdout } = await promisify(execFile)("unshare", ["--mount", "sh", "-c", rollbacks], {
      env: { PATH: `${here}:${process.env.PATH}`, COMMAND: join(root, "deploy/systemd/palmira") },
    });
    expect(stdout.trim().split("\n")).toEqual([
      "unit of palmira.old",
      "unit of palmira.old",
      "unit of palmira",
      "unit of palmira",
      "unit of palmira.old",
      "unit of palmira",
    ]);
  },
);
