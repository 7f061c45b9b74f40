import type { Pool } from 'pg'
import type { Log } from '../log.ts'
import type { Clock } from '../lib/time/clock.ts'

/**
 * Shows the time of the database server. All nodes share it, so that they agree on times they compare, even when the
 * clock of a machine is wrong or is set while the service runs.
 */
export interface DatabaseClock extends Clock, Disposable {
  /** How far the clock of this machine is ahead of the database, in milliseconds; negative when it is behind. */
  machineOffsetMs(): number
  /** Measures the database's time again. A timer calls it. */
  measure(): Promise<void>
}

/** A machine whose clock differs by more than this is reported. */
export const MAX_MACHINE_CLOCK_OFFSET_MS = 5_000
const MEASURE_INTERVAL_MS = 5_000

type Parts = {
  pool: Pick<Pool, 'query'>
  log: Log
  /** The clock of this machine. */
  machineClock: Clock
  /** Milliseconds that only go forward. */
  monotonic?: () => number
}

export async function startDatabaseClock(parts: Parts): Promise<DatabaseClock> {
  const { pool, log, machineClock, monotonic = () => performance.now() } = parts
  /** What is added to the monotonic time to get the database's time; null before the first measurement. */
  let offset: number | null = null
  let isReported = false

  const now = () => new Date(Math.floor(monotonic() + (offset ?? 0)))
  const machineOffsetMs = () => machineClock.now().getTime() - now().getTime()
  const reportWrongClock = () => {
    const isWrong = Math.abs(machineOffsetMs()) > MAX_MACHINE_CLOCK_OFFSET_MS
    if (isWrong === isReported) return
    isReported = isWrong
    const seconds = Math.round(machineOffsetMs() / 1000)
    if (isWrong) log.warn({ seconds }, 'the clock of this machine differs from the database clock')
    else log.info('the clock of this machine agrees with the database clock again')
  }
  const measure = async () => {
    const sentAt = monotonic()
    const { rows } = await pool.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    const [row] = rows
    if (row === undefined) throw new Error('the database returned no time')
    offset = correctClockOffset(offset, row.ms, sentAt, monotonic())
    reportWrongClock()
  }

  await measure()
  const timer = setInterval(() => {
    // Without the database nothing can be compared, and the time goes on from the last measurement.
    measure().catch((error: unknown) => log.debug({ err: error }, 'failed to read the time'))
  }, MEASURE_INTERVAL_MS)
  timer.unref()
  return { now, machineOffsetMs, measure, [Symbol.dispose]: () => clearInterval(timer) }
}

/**
 * The database read its time between the sending of the query and the arrival of the answer. The offset is changed only
 * when it contradicts that, and by as little as possible, so that the clock does not jump with every measurement.
 */
export function correctClockOffset(
  offset: number | null,
  databaseMs: number,
  sentAt: number,
  answeredAt: number,
): number {
  const highest = databaseMs - sentAt
  const lowest = databaseMs - answeredAt
  if (offset === null) return (highest + lowest) / 2
  return Math.min(Math.max(offset, lowest), highest)
}
