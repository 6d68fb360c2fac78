import pg from "pg";

/** Time limits (ms) of statements, and of pauses inside a transaction; 0: none. */
export type StatementLimits = { statementMs: number; lockMs: number; idleInTransactionMs: number };

type Connection = {
  stream: { cork(): void; uncork(): void };
  parse(message: { text: string; name: string; types: number[] }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  execute(message: { portal: string }): void;
  flush(): void;
};
type Message = { fields: (string | null)[] };
type QueryConfig = { text: string; values?: unknown[]; name?: string | undefined };

/** The library's query with properties missing in its types. */
type InnerQuery = {
  text: string;
  callback: (error: Error | null | undefined, result?: unknown) => void;
  requiresPreparation(): boolean;
  prepare(connection: Connection): void;
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: Message): void;
  handleDataRow(message: Message): void;
  handleCommandComplete(message: Message, connection: Connection): void;
};
// biome-ignore lint/suspicious/noExplicitAny: private parts of the library's class
const LibraryQuery: new (config: QueryConfig, values?: unknown[]) => InnerQuery = pg.Query as any;

/** A statement that sets the limits of the transaction, and returns the id of its server process. */
export function limitsStatement({ statementMs, lockMs }: StatementLimits): string {
  return `select pg_backend_pid(), set_config('statement_timeout', '${statementMs}', true), set_config('lock_timeout', '${lockMs}', true)`;
}

const beginning = /^\s*(begin|start\s+transaction)\b/i;

/**
 * A statement on a connection whose server process changes with each transaction, as behind a pooler, so that it must
 * neither rely on session settings nor change them. The time limits are set for each transaction: in the same message as
 * `begin`, or, for a single statement, by a statement sent ahead of it and answered together with it.
 */
export class PooledQuery extends LibraryQuery {
  readonly #limits: StatementLimits;
  readonly #isInTransaction: () => boolean;
  readonly #onPid: ((pid: number) => void) | null;
  readonly #limitsName: string;
  #kind: "begins" | "alone" | "inside" = "inside";
  /** Whether the next answers belong to the statement that sets the limits. */
  #isLimitsAnswer = false;

  constructor(
    config: QueryConfig,
    values: unknown[] | undefined,
    /**
     * `limitsName`: name of `limitsStatement`, if it is prepared. `onPid` receives the id of the server process before the
     * statement runs.
     */
    options: {
      limits: StatementLimits;
      limitsName: string;
      isInTransaction(): boolean;
      onPid: ((pid: number) => void) | null;
    },
  ) {
    super(config, values);
    this.#limits = options.limits;
    this.#isInTransaction = options.isInTransaction;
    this.#onPid = options.onPid;
    this.#limitsName = options.limitsName;
  }

  override requiresPreparation(): boolean {
    return this.#kind === "alone" || super.requiresPreparation();
  }

  override submit(connection: pg.Connection): Error | null {
    const { statementMs, lockMs, idleInTransactionMs } = this.#limits;
    if (statementMs > 0 && this.text && !this.#isInTransaction()) {
      this.#kind = beginning.test(this.text) ? "begins" : "alone";
    }
    if (this.#kind === "begins") {
      this.text += `; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
      if (this.#onPid) this.text += "; select pg_backend_pid()";
    }
    return super.submit(connection);
  }

  override prepare(connection: Connection): void {
    if (this.#kind === "alone") {
      const statement = this.#limitsName;
      if (!statement) connection.parse({ text: limitsStatement(this.#limits), name: "", types: [] });
      connection.bind({ portal: "", statement, values: [] });
      connection.execute({ portal: "" });
      // Without it the answer would come together with the statement's own.
      if (this.#onPid) connection.flush();
      this.#isLimitsAnswer = true;
    }
    super.prepare(connection);
  }

  override handleRowDescription(message: Message): void {
    if (!this.#isLimitsAnswer) super.handleRowDescription(message);
  }

  override handleDataRow(message: Message): void {
    if (!this.#isLimitsAnswer) super.handleDataRow(message);
    else this.#onPid?.(Number(message.fields[0]));
  }

  override handleCommandComplete(message: Message, connection: Connection): void {
    if (!this.#isLimitsAnswer) super.handleCommandComplete(message, connection);
    this.#isLimitsAnswer = this.#kind === "begins";
  }
}
