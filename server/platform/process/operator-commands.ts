import { existsSync } from "node:fs";
import { join } from "node:path";

const programFolder = join(import.meta.dirname, "../../..");

/**
 * Commands for the shop's operator, for a shop in the folder `program`: those of the service if install.sh installed it
 * there.
 */
export function operatorCommandsOf(program: string) {
  return existsSync(join(program, ".installed"))
    ? {
        start: "palmira start",
        code: "palmira code",
        backup: "palmira backup",
        checkBackup: "palmira backup --check",
      }
    : {
        start: "npm start",
        code: "npm run admin:code",
        backup: "npm run backup",
        checkBackup: "npm run backup -- --check",
      };
}

export const operatorCommands = operatorCommandsOf(programFolder);
