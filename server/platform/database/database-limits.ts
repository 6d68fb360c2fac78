/** Connections of one server, and time limits of its statements (s). */
export type DatabaseLimits = {
  /** For pages and API calls. */
  httpConnections: number;
  /** For background work, including the queue's own. */
  jobConnections: number;
  /** A call that waits longer for one statement gets 503. */
  statementSeconds: number;
  jobStatementSeconds: number;
  /** Longest wait for a locked row, in calls and background work. */
  lockSeconds: number;
  /** A call that waits longer for a connection gets 503; by default at most 4. */
  connectionSeconds?: number;
};

export const defaultDatabaseLimits: DatabaseLimits = {
  httpConnections: 5,
  jobConnections: 6,
  // Only slightly more than for a lock, because the limit applies to each statement.
  statementSeconds: 6,
  jobStatementSeconds: 60,
  lockSeconds: 5,
};

/** Number of background connections that fetch and settle jobs. */
export const queueConnections = 1;
