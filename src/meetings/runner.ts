import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../log.ts'
import { ACTIVE_STATUSES } from './status.ts'
import type { Hold } from './store.ts'
import { HoldLost } from './writer.ts'

/** A node that is silent for so long has lost its meetings. */
const LEASE_MS = 15_000
const ROUND_MS = 1_000
/** A bot that was begun so often, and never came to an end, will not the next time either. */
export const MAX_ATTEMPTS = 5

export type Job = {
  hold: Hold
  /** How often a bot has set out without being handed over, this one included. */
  attempt: number
  /** The caller wants the bot to leave. */
  stop: AbortSignal
  /** This node lets go of the meeting: it goes on elsewhere, or after the next start. */
  release: AbortSignal
}

/** Gives each active meeting to one node, and takes it from a node that is gone. */
export interface Runner extends AsyncDisposable {
  /** Something has changed: look now instead of at the next round. */
  wake(): void
}

type Parts = {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
  /** The database is this node's own: whatever is held now was held by a process that is gone. */
  isAlone: boolean
  run(job: Job): Promise<void>
}

type Running = {
  stop: AbortController
  release: AbortController
  done: Promise<void>
}

export function startRunner({ db, clock, log, nodeId, isAlone, run }: Parts): Runner {
  const running = new Map<string, Running>()
  let isClosing = false
  let wake: () => void = () => {}

  const begin = ({ id, fence, attempts }: Claimed) => {
    const [stop, release] = [new AbortController(), new AbortController()]
    const job: Job = {
      hold: { meetingId: id, fence },
      attempt: attempts,
      stop: stop.signal,
      release: release.signal,
    }
    const done = run(job)
      .catch((error: unknown) => {
        const level = error instanceof HoldLost ? 'warn' : 'error'
        log[level]({ err: error, meetingId: id }, 'bot failed')
      })
      .finally(() => running.delete(id))
    running.set(id, { stop, release, done })
  }

  const round = async () => {
    const until = new Date(clock.now().getTime() + LEASE_MS)
    // Only what a bot here is at work on: what its bot gave up must run out and be taken up again.
    const held = await renewLeases(db, nodeId, [...running.keys()], until)
    for (const row of held) if (row.status === 'stopping') running.get(row.id)?.stop.abort()
    const ids = new Set(held.map(({ id }) => id))
    // Somebody else has it, or it is over: the bot here has nothing more to do.
    for (const [id, { release }] of running) if (!ids.has(id)) release.abort()
    if (isClosing) return
    for (const row of await claimMeetings(db, nodeId, clock.now(), until)) begin(row)
  }

  const loop = async () => {
    let isFirst = isAlone
    for (;;) {
      if (isClosing) return
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      try {
        if (isFirst) await releaseAll(db)
        isFirst = false
        await round()
      } catch (error) {
        log.error({ err: error }, 'meetings not looked after')
      }
      const timer = setTimeout(() => wake(), ROUND_MS)
      await woken
      clearTimeout(timer)
    }
  }
  const looping = loop()

  return {
    wake: () => wake(),
    async [Symbol.asyncDispose]() {
      isClosing = true
      wake()
      await looping
      for (const { release } of running.values()) release.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

type Claimed = { id: string; fence: number; attempts: number }

/** Takes meetings that nobody attends. The fence moves on, so an owner that only slept can write no more. */
async function claimMeetings(db: Db, nodeId: string, now: Date, until: Date): Promise<Claimed[]> {
  return db
    .updateTable('meeting')
    .set({
      owner: nodeId,
      fence: sql`fence + 1`,
      attempts: sql`attempts + 1`,
      lease_until: until,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('meeting')
        .select('id')
        .where('status', 'in', ACTIVE_STATUSES)
        .where((inner) =>
          inner.or([inner('lease_until', 'is', null), inner('lease_until', '<', now)]),
        )
        .orderBy('started_at')
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'fence', 'attempts'])
    .execute()
}

async function renewLeases(db: Db, nodeId: string, ids: string[], until: Date) {
  if (ids.length === 0) return []
  return db
    .updateTable('meeting')
    .set({ lease_until: until })
    .where('id', 'in', ids)
    .where('owner', '=', nodeId)
    .where('status', 'in', ACTIVE_STATUSES)
    .returning(['id', 'status'])
    .execute()
}

async function releaseAll(db: Db): Promise<void> {
  await db
    .updateTable('meeting')
    .set({ owner: null, lease_until: null })
    .where('status', 'in', ACTIVE_STATUSES)
    .execute()
}

/** Gives a meeting back, for another node or the next start. A visit that was handed over did not fail. */
export async function releaseMeeting(db: Db, { meetingId, fence }: Hold): Promise<void> {
  await db
    .updateTable('meeting')
    .set({ owner: null, lease_until: null, attempts: sql`attempts - 1` })
    .where('id', '=', meetingId)
    .where('fence', '=', fence)
    .execute()
}
