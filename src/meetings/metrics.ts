import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import { PLATFORM_NAMES, type PlatformName } from '../bots/platforms/platform.ts'
import type { Db } from '../db/database.ts'
import type { MeetingPlatform } from './meeting-platforms.ts'
import type { Meeting } from './meeting.ts'
import type { MeetingWriter } from './record/meeting-writer.ts'
import { countScheduledMeetings } from './scheduling/scheduled-meetings.ts'
import { ACTIVE_STATUSES, type EndReason, type MeetingStatus } from './status.ts'

export type MeetingMetrics = ReturnType<typeof createMeetingMetrics>

export type MeetingGaugeSources = {
  db: Db
  runningBots(): ReadonlyArray<{ platform: PlatformName }>
  /** How many bots this node can run. */
  limits: { bots: number; practiceBots: number }
}

const STATUSES_BEFORE_ADMISSION = new Set<MeetingStatus>(['joining', 'lobby'])

/** How much data the instance stores for meetings. */
type MeetingStorageUsage = { meetings: number; evidence: { count: number; bytes: number } }

/** Prometheus metrics of meetings and of the bots on this node. */
export function createMeetingMetrics(sources: MeetingGaugeSources) {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers: [] })
  const drift = counter(
    'hansard_page_drift_total',
    'Times a part of a platform page was not found by its preferred selector',
    ['platform', 'part'],
  )
  const segments = counter(
    'hansard_segments_total',
    'Transcript segments that bots of this node stored',
    ['platform'],
  )
  const joinResults = counter(
    'hansard_join_results_total',
    'Meetings that bots of this node tried to join; the result is admitted or the reason of the failure',
    ['platform', 'result'],
  )
  const ended = counter('hansard_meetings_ended_total', 'Meetings that ended on this node', [
    'platform',
    'reason',
  ])
  const gauges = createMeetingGauges(sources)
  return {
    countDrift: (platform: PlatformName, part: string) => drift.inc({ platform, part }),
    countSegments: (platform: MeetingPlatform, count: number) => segments.inc({ platform }, count),
    /** `admitted`, or why the bot was not admitted. */
    countJoinResult: (platform: MeetingPlatform, result: 'admitted' | EndReason) =>
      joinResults.inc({ platform, result }),
    countEnded: (platform: MeetingPlatform, reason: EndReason) => ended.inc({ platform, reason }),
    register(registry: Registry) {
      for (const metric of [drift, segments, joinResults, ended, ...gauges])
        registry.registerMetric(metric)
    },
  }
}

/** Counting reads the index of all scheduled meetings, so the count is cached for this long. */
const SCHEDULED_COUNT_AGE_MS = 15_000

function createScheduledCounter(db: Db): () => Promise<number> {
  let last = { at: -Infinity, count: 0 }
  return async () => {
    const at = performance.now()
    if (at - last.at > SCHEDULED_COUNT_AGE_MS)
      last = { at, count: await countScheduledMeetings(db) }
    return last.count
  }
}

function createMeetingGauges({ db, runningBots, limits }: MeetingGaugeSources): Gauge[] {
  const countScheduled = createScheduledCounter(db)
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    collect: (this: Gauge<L>) => void | Promise<void>,
  ) => new Gauge({ name, help, labelNames, registers: [], collect })
  return [
    gauge(
      'hansard_meetings',
      'Meetings of the instance that have begun and are not over, the same on every node',
      ['platform', 'status'],
      async function () {
        for (const row of await countActiveMeetings(db)) this.set(...row)
      },
    ),
    gauge(
      'hansard_meetings_queued',
      'Meetings of the instance that no node attends yet, the same on every node',
      [],
      async function () {
        this.set(await countQueuedMeetings(db))
      },
    ),
    gauge(
      'hansard_meetings_scheduled',
      'Meetings of the instance that begin later, the same on every node',
      [],
      async function () {
        this.set(await countScheduled())
      },
    ),
    gauge('hansard_bots_running', 'Bots that run on this node', ['platform'], function () {
      const running = runningBots()
      for (const platform of PLATFORM_NAMES)
        this.set({ platform }, running.filter((bot) => bot.platform === platform).length)
    }),
    gauge(
      'hansard_bots_limit',
      'Bots that this node can run at the same time, with a browser or in practice meetings',
      ['kind'],
      function () {
        this.set({ kind: 'browser' }, limits.bots)
        this.set({ kind: 'practice' }, limits.practiceBots)
      },
    ),
  ]
}

type MeetingCount = [labels: { platform: PlatformName; status: MeetingStatus }, count: number]

/** Has a row for each platform and status, even if there is no meeting: a missing series is not 0. */
async function countActiveMeetings(db: Db): Promise<MeetingCount[]> {
  const rows = await db
    .selectFrom('meeting')
    .select((eb) => ['platform', 'status', eb.fn.countAll<string>().as('count')])
    .where('status', 'in', ACTIVE_STATUSES)
    .groupBy(['platform', 'status'])
    .execute()
  return PLATFORM_NAMES.flatMap((platform) =>
    ACTIVE_STATUSES.map((status): MeetingCount => {
      const row = rows.find((one) => one.platform === platform && one.status === status)
      return [{ platform, status }, Number(row?.count ?? 0)]
    }),
  )
}

async function countQueuedMeetings(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from meeting
    where status = any(${ACTIVE_STATUSES}) and owner is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts a meeting's segments, join result and end, each after it was stored. */
export function wrapWriterToCountMetrics(
  writer: MeetingWriter,
  { platform, status }: Pick<Meeting, 'platform' | 'status'>,
  metrics: MeetingMetrics,
): MeetingWriter {
  let isJoining = STATUSES_BEFORE_ADMISSION.has(status)
  const countJoinResult = (result: 'admitted' | EndReason) => {
    if (isJoining) metrics.countJoinResult(platform, result)
    isJoining = false
  }
  return {
    ...writer,
    async changeStatus(change) {
      const isChanged = await writer.changeStatus(change)
      if (isChanged && change.to === 'live') countJoinResult('admitted')
      if (isChanged && (change.to === 'ended' || change.to === 'error')) {
        const reason = change.reason ?? 'internal'
        countJoinResult(reason)
        metrics.countEnded(platform, reason)
      }
      return isChanged
    },
    async writeSegments(...args) {
      const rows = await writer.writeSegments(...args)
      metrics.countSegments(platform, rows.length)
      return rows
    },
  }
}

export async function countMeetingsAndMeasureEvidence(db: Db): Promise<MeetingStorageUsage> {
  const { rows } = await sql<{ meetings: number; count: number; bytes: string }>`
    select (select count(*)::int from meeting) as meetings, count(*)::int as count,
      coalesce(sum(octet_length(screenshot)), 0) as bytes
    from evidence`.execute(db)
  const { meetings = 0, count = 0, bytes = '0' } = rows[0] ?? {}
  return { meetings, evidence: { count, bytes: Number(bytes) } }
}

/** How many meetings each node is attending. A node without meetings is missing. */
export async function countActiveMeetingsByNode(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('meeting')
    .select((eb) => ['owner', eb.fn.countAll<string>().as('count')])
    .where('status', 'in', ACTIVE_STATUSES)
    .where('owner', 'is not', null)
    .groupBy('owner')
    .execute()
  return new Map(rows.map(({ owner, count }) => [owner ?? '', Number(count)]))
}
