import type { Timers } from '../../lib/time/timers.ts'

/** The end of a lane in two steps: nothing new is begun, then what is under way is cut off. */
export interface GracefulStop {
  readonly stopping: AbortSignal
  readonly aborting: AbortSignal
  /** Said again, it can be cut off at once, but the grace does not begin anew. */
  begin(graceMs: number): void
  /** All has ended: there is nothing left to cut off. */
  dispose(): void
}

export function createGracefulStop(timers: Timers): GracefulStop {
  const [stopping, cutting] = [new AbortController(), new AbortController()]
  let callOff = () => {}
  return {
    stopping: stopping.signal,
    aborting: cutting.signal,
    begin(graceMs) {
      const isFirst = !stopping.signal.aborted
      stopping.abort()
      if (graceMs <= 0) {
        callOff()
        cutting.abort()
      } else if (isFirst) callOff = timers.after(graceMs, () => cutting.abort())
    },
    dispose: () => callOff(),
  }
}
