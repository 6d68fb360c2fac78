import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const clockTickMs = 10;

type Memory = {
  processes: number;
  rssMb: number;
  /** Null if the system does not provide it. */
  pssMb: number | null;
};

/**
 * Memory of a process and its descendants. RSS counts shared memory once per process, PSS once in total. Null without
 * /proc.
 */
export function readMemory(rootPid: number): Memory | null {
  if (!existsSync("/proc/self/status")) return null;
  // Zombie processes have no VmRSS.
  const pids = processTree(rootPid).filter((pid) => readNumber(`/proc/${pid}/status`, "VmRSS") !== null);
  const pss = pids.map((pid) => readNumber(`/proc/${pid}/smaps_rollup`, "Pss"));
  return {
    processes: pids.length,
    rssMb: sum(pids.map((pid) => readNumber(`/proc/${pid}/status`, "VmRSS") ?? 0)) / 1024,
    pssMb: pss.includes(null) ? null : sum(pss.map((kb) => kb ?? 0)) / 1024,
  };
}

/** Processor time (ms) used so far by the processes and by their children that have ended. 0 without /proc. */
export function readCpuMs(pids: readonly number[]): number {
  return sum(
    pids.map((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // Splits after the name, which may contain anything. Fields 14 and 15 are the user and system time of the process, 16 and
        // 17 those of its ended children.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return sum(fields.slice(11, 15).map(Number)) * clockTickMs;
      } catch {
        return 0;
      }
    }),
  );
}

/** A process and its descendants. */
export function processTree(rootPid: number): number[] {
  const parents = readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .map((pid) => ({ pid, parent: readNumber(`/proc/${pid}/status`, "PPid") }));
  const pids = [rootPid];
  for (const ancestor of pids) {
    pids.push(...parents.filter(({ parent }) => parent === ancestor).map(({ pid }) => pid));
  }
  return pids;
}

/** The processes of PostgreSQL among these, and the others. */
export function postgresAndOthers(pids: readonly number[]): [number[], number[]] {
  const isPostgres = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres");
    } catch {
      return false;
    }
  };
  return [pids.filter(isPostgres), pids.filter((pid) => !isPostgres(pid))];
}

/** A number from a file of /proc; null if it cannot be read. */
function readNumber(file: string, name: string): number | null {
  try {
    const value = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"))?.[1];
    return value === undefined ? null : Number(value);
  } catch {
    return null;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
