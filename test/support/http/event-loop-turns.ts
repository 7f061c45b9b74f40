/*
 * A turn of the event loop is measured as this thread's processor time, which does not grow while the thread waits for a
 * processor, the database or other programs. Two influences remain that do not depend on the work. One is the speed of
 * the processor, so the limit is relative to a computation that is measured here too. The other is compilation and
 * garbage collection during a turn, so work that exceeds the limit is repeated, and its shortest time is compared.
 */
const LIMIT_MS = 100
/** The time of `calibrate` on the machine for which the limit is 100 ms. */
const CALIBRATION_MS = 25
const ATTEMPTS = 4

/** The processor time that one turn may take on this machine: 100 ms, or more on a slower one. */
export function findTurnLimitMs(): number {
  return LIMIT_MS * Math.max(1, calibrate() / CALIBRATION_MS)
}

/** The shortest of a few measurements, or the first one within the limit. */
export async function repeatWhileLonger(
  limitMs: number,
  measure: () => Promise<number>,
): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && ms > limitMs; attempt += 1)
    ms = Math.min(ms, await measure())
  return ms
}

/** The largest processor time between two turns of the event loop during the work. */
export async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = threadCpuMs()
  const onTurn = () => {
    const now = threadCpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  // A turn of a millisecond or more ends with this timer. `setImmediate` would keep the processor from other threads.
  const timer = setInterval(onTurn, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  onTurn()
  return longest
}

function calibrate(): number {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ [`field${i}`]: `${i}` })))
  const times = Array.from({ length: 5 }, () => {
    const start = threadCpuMs()
    JSON.parse(text)
    return threadCpuMs() - start
  })
  return Math.min(...times)
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
