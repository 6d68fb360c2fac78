/** Everything the environment says, parsed once at start. Secrets in it are never logged. */
export type Config = {
  port: number;
  host: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** Absolute path. */
  dataDir: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Null: generated at the first start. */
  adminAccessCode: string | null;
  sessionSecret: string | null;
  payments: "stripe" | "sandbox";
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  /** Used by the sandbox too, where it is set. */
  webhookSecret: string | null;
  mail: { smtpUrl: string | null; from: string | null; ownerEmail: string | null };
  twilio: { accountSid: string; authToken: string; from: string; apiBase: string | null } | null;
  trustProxy: string[];
  reservationSeconds: number;
  reconcileEverySeconds: number;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  metricsToken: string | null;
  /** How the sandbox sends its events, in development: at once, or to make trouble. */
  sandboxEvents: "at_once" | "late" | "twice" | "shuffled";
};
