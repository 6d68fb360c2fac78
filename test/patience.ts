/**
 * How long (ms) a test waits for what has to come. It comes at once; only a machine that stands still for as long makes a
 * test fail. How fast things are is measured in `bench/`.
 */
export const patienceMs = 60_000;
