import { parseArgs } from "node:util";
import { trials } from "./trials.ts";

export type Options = {
  trials: string[];
  seed: number;
  /** Duration of the soak; 0: none. */
  minutes: number;
  isShort: boolean;
  /** Only programs from npm, none of Debian's. */
  onlyEmbedded: boolean;
  /** Folder for the logs of servers and databases; null: they are deleted. */
  logs: string | null;
};

export const usage = `npm run drill -- [options]

Builds a shop of three servers with a replicated database on this machine, lets buyers pay, and breaks things.

  --trials a,b   these trials alone: ${trials.map(({ name }) => name).join(", ")}
  --short        the trials that need nothing but what npm installs, in three minutes, with generous time limits
  --minutes 30   afterwards sells for so long and fails where memory, sockets, connections or tables grow
  --seed 7       breaks things at other moments
  --logs folder  keeps what servers and databases said
  --embedded     with the PostgreSQL of npm, even where Debian's is installed
`;

/** Throws an error with usage if an option is wrong. */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      trials: { type: "string" },
      short: { type: "boolean", default: false },
      minutes: { type: "string", default: "0" },
      seed: { type: "string", default: "20261122" },
      logs: { type: "string" },
      embedded: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const defaults = trials.filter(({ isShort }) => isShort || !values.short).map(({ name }) => name);
  const names = values.trials?.split(",").filter((name) => name !== "") ?? defaults;
  const unknown = names.filter((name) => trials.every((trial) => trial.name !== name));
  if (unknown.length > 0) throw new Error(`There is no trial “${unknown.join("”, “")}”.\n\n${usage}`);
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes >= 0) || !Number.isInteger(seed)) throw new Error(`Not a number.\n\n${usage}`);
  return {
    trials: names,
    seed,
    minutes,
    isShort: values.short,
    onlyEmbedded: values.embedded,
    logs: values.logs ?? null,
  };
}
