import type { Pool } from 'pg'
import type { Log } from '../log.ts'
import type { Clock } from '../lib/time/clock.ts'

/**
 * Shows the time of the database server, which all nodes share. Their times stay comparable even if a machine's clock
 * is wrong or is set while the service runs.
 */
export interface DatabaseClock extends Clock, Disposable {
  /** Milliseconds by which this machine's clock is ahead of the database. Negative if it is behind. */
  machineOffsetMs(): number
  /** Measures the database's time again. Called by a timer. */
  measure(): Promise<void>
}

/** A machine whose clock differs by more than this is reported. */
export const MAX_MACHINE_CLOCK_OFFSET_MS = 5_000
const MEASURE_INTERVAL_MS = 5_000

type Parts = {
  pool: Pick<Pool, 'query'>
  log: Log
  machineClock: Clock
  /** Monotonic clock, milliseconds. */
  monotonic?: () => number
}

export async function startDatabaseClock(parts: Parts): Promise<DatabaseClock> {
  const { pool, log, machineClock, monotonic = () => performance.now() } = parts
  /** Added to the monotonic time to get the database's time. Null before the first measurement. */
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
    // Without the database there is nothing to compare with, so the time continues from the last measurement.
    measure().catch((error: unknown) => log.debug({ err: error }, 'failed to read the time'))
  }, MEASURE_INTERVAL_MS)
  timer.unref()
  return { now, machineOffsetMs, measure, [Symbol.dispose]: () => clearInterval(timer) }
}

/**
 * The database read its time after the query was sent and before the answer arrived. The offset changes only if it
 * contradicts that, and by as little as possible, so that the clock does not jump with every measurement.
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
