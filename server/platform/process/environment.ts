import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { parseEnv } from "node:util";

export type Environment = Record<string, string | undefined>;

/** The process's environment, which takes precedence over the `.env` file of the working directory. */
export function readEnvironment(processEnvironment: Environment, file = ".env"): Environment {
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  return { ...fromFile, ...processEnvironment };
}

/**
 * Reads variables and collects their problems, one line each with the variable's name but not its value, which may be
 * secret. An empty variable counts as not set.
 */
export function environmentReader(environment: Environment) {
  const problems: string[] = [];

  function text(name: string): string | null {
    return environment[name]?.trim() || null;
  }

  /** Returns `fallback` if the variable is not set or invalid; an invalid one is recorded as a problem. */
  function read<Value, Fallback>(
    name: string,
    fallback: Fallback,
    parse: (value: string) => Value | undefined,
    expected: string,
  ): Value | Fallback {
    const value = text(name);
    if (value === null) return fallback;
    const parsed = parse(value);
    if (parsed === undefined) problems.push(`${name}: ${expected}`);
    return parsed ?? fallback;
  }

  return {
    problems,
    text,

    integer(name: string, fallback: number, min: number, max: number): number {
      const parse = (value: string) =>
        /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
      return read(name, fallback, parse, `must be a whole number from ${min} to ${max}`);
    },

    oneOf<const Choice extends string, Fallback>(
      name: string,
      fallback: Fallback,
      choices: readonly Choice[],
    ) {
      const parse = (value: string) => choices.find((choice) => choice === value);
      return read(name, fallback, parse, `must be one of ${choices.join(", ")}`);
    },

    url(name: string, protocols: string[]): string | null {
      const parse = (value: string) =>
        URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined;
      return read(
        name,
        null,
        parse,
        `must be an address that starts with ${protocols.map((p) => `${p}//`).join(" or ")}`,
      );
    },

    networks(name: string): string[] {
      const parse = (value: string) => {
        const networks = value.split(",").map((network) => network.trim());
        return networks.every(isNetwork) ? networks : undefined;
      };
      return read(name, [], parse, "must be IP addresses or networks (10.0.0.0/8), separated by commas");
    },
  };
}

export type EnvironmentReader = ReturnType<typeof environmentReader>;

function isNetwork(network: string): boolean {
  const [address = "", bits, ...rest] = network.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d{1,3}$/.test(bits) ? Number(bits) : -1,
      family === 4 ? "ipv4" : "ipv6",
    );
    return true;
  } catch {
    return false;
  }
}
