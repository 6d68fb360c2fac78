/** How many connections a server keeps, and how long (s) its statements may take. */
export type DatabaseLimits = {
  /** For pages and calls of the API. */
  httpConnections: number;
  /** For background work, those of its queue included. */
  jobConnections: number;
  /** A call that has to wait longer for one statement is answered 503. */
  statementSeconds: number;
  jobStatementSeconds: number;
  /** Waiting for a row that somebody else holds, whoever waits. */
  lockSeconds: number;
};

export const defaultDatabaseLimits: DatabaseLimits = {
  httpConnections: 5,
  jobConnections: 6,
  // Not much more than for a lock: each of several locks on the way is waited for anew.
  statementSeconds: 6,
  jobStatementSeconds: 60,
  lockSeconds: 5,
};

/** Of those for background work: one hears of new jobs and shows that the process lives, two fetch jobs and note their ends. */
export const queueConnections = { listening: 1, working: 2 };
