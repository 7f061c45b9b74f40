import { isDoneBefore, isDoneWithin, onAbort } from '../lib/async/abort.ts'
import type { ShutdownController } from '../lib/async/shutdown.ts'
import type { Log } from '../log.ts'

type Part = Disposable | AsyncDisposable

/** The opened parts of the service. Disposing stops them all, then closes them in reverse order. */
export interface ServiceParts extends AsyncDisposable {
  /** Opens the next part and returns it. Throws if the start was aborted. */
  open<Opened extends Part>(
    name: string,
    open: () => Opened | Promise<Opened>,
    /** Milliseconds from the beginning of the stop until the part must be closed. */
    closeWithinMs?: number,
  ): Promise<Opened>
  /** Moves the parts to the returned object, so that disposing this one leaves them open. */
  move(): AsyncDisposable
}

type Options = {
  log: Log
  shutdown: ShutdownController
  /** Aborts to end the start. */
  signal: AbortSignal
  /** Milliseconds from the beginning of the stop until a part must be closed. Infinity waits for every part. */
  closeWithinMs: number
}

/** A part that is closed only after the limit may still take this long. */
const MIN_CLOSE_MS = 150

/** Opens parts one after another. A part that does not open or close in time is abandoned, and the log names it. */
export function createServiceParts(options: Options): ServiceParts {
  const { log, shutdown, signal } = options
  const stack = new AsyncDisposableStack()
  // The opened parts get the signal at once, even while another part is opening.
  const unsubscribe = onAbort(signal, shutdown.begin)
  const isDoneInTime = async (work: Promise<unknown>, limitMs: number): Promise<boolean> => {
    if (limitMs === Infinity) return work.then(() => true)
    return isDoneWithin(work, Math.max(MIN_CLOSE_MS, limitMs - shutdown.elapsedMs()))
  }
  const close = async (name: string, part: Part, limitMs: number) => {
    if (await isDoneInTime(dispose(part), limitMs)) return
    log.warn({ part: name }, 'abandoned a part of the service that did not stop in time')
  }
  const toDisposable = (opened: AsyncDisposableStack): AsyncDisposable => ({
    async [Symbol.asyncDispose]() {
      unsubscribe()
      shutdown.begin()
      try {
        await opened.disposeAsync()
      } finally {
        shutdown[Symbol.dispose]()
      }
    },
  })
  return {
    async open(name, open, limitMs = options.closeWithinMs) {
      signal.throwIfAborted()
      const opening = (async () => open())()
      if (!(await isDoneBefore(opening, signal)) && !(await isDoneInTime(opening, limitMs))) {
        log.warn({ part: name }, 'abandoned a part of the service that did not open in time')
        signal.throwIfAborted()
      }
      const part = await opening
      stack.defer(() => close(name, part, limitMs))
      return part
    },
    move: () => toDisposable(stack.move()),
    async [Symbol.asyncDispose]() {
      // After `move` the stack belongs to the returned object.
      if (!stack.disposed) await toDisposable(stack)[Symbol.asyncDispose]()
    },
  }
}

async function dispose(part: Part): Promise<void> {
  if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]()
  else part[Symbol.dispose]()
}
