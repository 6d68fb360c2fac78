import pg from "pg";
import { type RunningCall, runningCall } from "./running-call.ts";

type Callback = Parameters<pg.Pool["connect"]>[0];
type WaitingCall = { call: RunningCall; enter(): void };

/**
 * Connections for requests; background work uses the pool `background`. Calls of one kind get at most half of the
 * connections, so that other calls can continue even if all of these wait for a locked row; writes never get the last one.
 * The kind of a call is its name and whether it writes.
 */
export class CallPool extends pg.Pool {
  readonly #background: pg.Pool;
  readonly #max: number;
  /** Longest wait (ms) of a call for a connection. */
  readonly #waitMs: number;
  readonly #heldBy = new Map<string, number>();
  #heldCount = 0;
  #waiting: WaitingCall[] = [];

  constructor(config: pg.PoolConfig & { max: number }, options: { background: pg.Pool; waitMs: number }) {
    super(config);
    this.#max = config.max;
    this.#waitMs = options.waitMs;
    this.#background = options.background;
  }

  get waitingCalls(): number {
    return this.#waiting.length;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const call = runningCall();
    const connected = call ? this.#connectFor(call) : this.#background.connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connectFor(call: RunningCall): Promise<pg.PoolClient> {
    await this.#enter(call);
    try {
      const client = await super.connect();
      const { release } = client;
      client.release = (error) => {
        release(error);
        this.#leave(call);
      };
      return client;
    } catch (error) {
      this.#leave(call);
      throw error;
    }
  }

  #enter(call: RunningCall): Promise<void> | undefined {
    if (this.#hasRoomFor(call)) {
      this.#take(call);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const waitingCall = {
        call,
        enter: () => {
          clearTimeout(timeout);
          resolve();
        },
      };
      const timeout = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waitingCall);
        reject(
          new Error(`timeout exceeded when trying to connect: no connection became free for ${call.name}`),
        );
      }, this.#waitMs);
      this.#waiting.push(waitingCall);
    });
  }

  #leave(call: RunningCall): void {
    this.#heldCount -= 1;
    const kind = callKind(call);
    const heldCount = (this.#heldBy.get(kind) ?? 0) - 1;
    if (heldCount > 0) this.#heldBy.set(kind, heldCount);
    else this.#heldBy.delete(kind);
    const next = this.#waiting.findIndex(({ call }) => this.#hasRoomFor(call));
    const [waitingCall] = next === -1 ? [] : this.#waiting.splice(next, 1);
    if (!waitingCall) return;
    this.#take(waitingCall.call);
    waitingCall.enter();
  }

  #take(call: RunningCall): void {
    this.#heldCount += 1;
    const kind = callKind(call);
    this.#heldBy.set(kind, (this.#heldBy.get(kind) ?? 0) + 1);
  }

  #hasRoomFor(call: RunningCall): boolean {
    const free = this.#max - this.#heldCount;
    return free > (call.writes ? 1 : 0) && (this.#heldBy.get(callKind(call)) ?? 0) < Math.ceil(this.#max / 2);
  }
}

function callKind({ name, writes }: RunningCall): string {
  return `${writes ? "write" : "read"} ${name}`;
}
