// One grading worker and where it stands: starting, ready, or gone. It is never mended, only thrown away.
import type { FromWorker, PropertyInfo, ToWorker } from "./protocol.ts";

/** The part of a Worker that is used; tests bring their own. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

export interface Info {
  version: string;
  properties: PropertyInfo[];
}

export interface EngineHandlers {
  message(message: FromWorker): void;
  crashed(reason: string): void;
}

export class Engine {
  readonly ready: Promise<Info>;
  readonly #worker: WorkerLike;
  #handlers: EngineHandlers | undefined;
  #fail: (reason: Error) => void = () => {};
  alive = true;

  constructor(worker: WorkerLike, graderUrl: string, engineUrl: string) {
    this.#worker = worker;
    this.ready = new Promise<Info>((resolve, reject) => {
      this.#fail = reject;
      worker.onmessage = ({ data }) => {
        if (!this.alive) return;
        if (data.kind === "ready") resolve({ version: data.version, properties: data.properties });
        else if (data.kind === "failed") this.#crash(data.message);
        else this.#handlers?.message(data);
      };
    });
    // Whoever awaits it hears of a failure; a spare that nobody awaits must not become an unhandled rejection.
    this.ready.catch(() => {});
    worker.onerror = (event) => {
      // The failure is reported in words on the page; the console stays clean.
      if (typeof event.preventDefault === "function") event.preventDefault();
      this.#crash(event.message || "error");
    };
    worker.onmessageerror = () => this.#crash("messageerror");
    worker.postMessage({ kind: "start", graderUrl, engineUrl });
  }

  /** Sends a message and hears what comes of it. */
  send(message: ToWorker, handlers: EngineHandlers): void {
    this.#handlers = handlers;
    this.#worker.postMessage(message);
  }

  /** Stops listening, for a run that is over. */
  release(): void {
    this.#handlers = undefined;
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.#handlers = undefined;
    this.#worker.terminate();
    this.#fail(new Error("stopped"));
  }

  #crash(reason: string): void {
    if (!this.alive) return;
    const handlers = this.#handlers;
    this.#fail(new Error(reason)); // before kill(), whose own reason says less
    this.kill();
    handlers?.crashed(reason);
  }
}
