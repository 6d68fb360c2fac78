import { existsSync } from "node:fs";
import { join } from "node:path";

const programFolder = join(import.meta.dirname, "../../..");

/**
 * Commands for the operator of the shop installed in `folder`: those of the service if install.sh installed it, otherwise
 * npm scripts.
 */
export function findOperatorCommands(folder: string) {
  return existsSync(join(folder, ".installed"))
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

export const operatorCommands = findOperatorCommands(programFolder);
