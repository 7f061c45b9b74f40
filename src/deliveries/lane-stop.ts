import type { Timers } from '../lib/timers.ts'

/** The end of a lane in two steps: nothing new is begun, then what is under way is cut off. */
export interface LaneStop {
  readonly stopping: AbortSignal
  readonly cutting: AbortSignal
  /** Said again, it can be cut off at once, but the grace does not begin anew. */
  begin(graceMs: number): void
  /** All has ended: there is nothing left to cut off. */
  end(): void
}

export function createLaneStop(timers: Timers): LaneStop {
  const [stopping, cutting] = [new AbortController(), new AbortController()]
  let callOff = () => {}
  return {
    stopping: stopping.signal,
    cutting: cutting.signal,
    begin(graceMs) {
      const isFirst = !stopping.signal.aborted
      stopping.abort()
      if (graceMs <= 0) {
        callOff()
        cutting.abort()
      } else if (isFirst) callOff = timers.after(graceMs, () => cutting.abort())
    },
    end: () => callOff(),
  }
}
