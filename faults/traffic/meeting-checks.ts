import { AssertionError } from 'node:assert'
import { createConcurrencyLimit } from '../../src/lib/async/queues.ts'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import { checkDelivery, type ExpectedEvent } from '../../test/support/callbacks/check-delivery.ts'
import type { ReceivedCallback } from '../../test/support/callbacks/recording-receiver.ts'
import {
  formatLines,
  linesWithGaps,
  mergeIntoTurns,
} from '../../test/support/meetings/transcript-lines.ts'
import type { Cluster } from '../cluster/cluster.ts'
import {
  addCounts,
  countDeliveryErrors,
  describeErrors,
  NO_DELIVERIES,
  type CountedCall,
  type DeliveryCounts,
} from './delivery-counts.ts'
import { readMeeting } from './meetings.ts'

const EVENTS_PER_PAGE = 1_000
const MEETINGS_AT_ONCE = 4

export type MeetingCheckResult = {
  counts: DeliveryCounts
  /** How often a bot joined again. */
  rejoins: number
  problems: string[]
}

/**
 * Compares what arrived, what is stored, and the documents of meetings that are over. `types` are the event types that
 * the meetings send; all by default.
 */
export async function checkMeetings(
  cluster: Cluster,
  ids: readonly string[],
  types: readonly string[] | null = null,
): Promise<MeetingCheckResult> {
  const limit = createConcurrencyLimit(MEETINGS_AT_ONCE)
  const results = await Promise.all(ids.map((id) => limit(() => checkMeeting(cluster, id, types))))
  const counts = results.map((each) => each.counts).reduce(addCounts, NO_DELIVERIES)
  const problems = results.flatMap((each) => each.problems)
  return {
    counts,
    rejoins: results.reduce((sum, each) => sum + each.rejoins, 0),
    problems: [
      ...describeErrors(counts),
      ...cluster.receiver.problems.map((problem) => `signature: ${problem}`),
      ...problems,
    ],
  }
}

async function checkMeeting(
  cluster: Cluster,
  id: string,
  types: readonly string[] | null,
): Promise<MeetingCheckResult> {
  const { status, reason, visits } = await readMeeting(cluster, id)
  const stored = await readAllEvents(cluster, id)
  const events = stored.filter(({ type }) => types?.includes(type) ?? true)
  const calls = cluster.receiver.callsFor(id)
  const counts = countDeliveryErrors(
    calls.map(toCountedCall),
    events.map(({ sequence }) => sequence),
  )
  const problems = status === 'ended' ? [] : [`${id} is ${status} (${reason})`]
  // The counts say more than the first difference that the complete check finds.
  if (describeErrors(counts).length === 0) problems.push(...findDifference(id, calls, events))
  problems.push(...(await findTranscriptProblems(cluster, id, events)))
  return { counts, rejoins: Math.max(0, visits - 1), problems }
}

/** All stored events, page by page. */
export async function readAllEvents(cluster: Cluster, id: string): Promise<ExpectedEvent[]> {
  const events: ExpectedEvent[] = []
  for (;;) {
    const after = events.at(-1)?.sequence ?? 0
    const path = `/api/v1/meetings/${id}/events?limit=${EVENTS_PER_PAGE}&after=${after}`
    const page = (await cluster.read(path))['events'] as ExpectedEvent[]
    events.push(...page)
    if (page.length < EVENTS_PER_PAGE) return events
  }
}

function toCountedCall({ event, headers, body, status }: ReceivedCallback): CountedCall {
  return {
    sequence: event.sequence,
    type: event.type,
    body,
    deliveryId: String(headers['x-service-delivery-id']),
    isAccepted: status >= 200 && status < 300,
  }
}

function findDifference(
  id: string,
  calls: readonly ReceivedCallback[],
  events: readonly ExpectedEvent[],
): string[] {
  try {
    checkDelivery(calls, events)
    return []
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error
    return [`${id}: ${error.message.split('\n')[0]}`]
  }
}

type Transcript = Parameters<typeof linesWithGaps>[0]

/** Checks that segments are numbered without a gap, none is stored twice, and the document has the same lines. */
async function findTranscriptProblems(
  cluster: Cluster,
  id: string,
  events: readonly ExpectedEvent[],
): Promise<string[]> {
  const transcript = (await cluster.read(`/api/v1/meetings/${id}/transcript`)) as Transcript & {
    documentPath: string | null
  }
  const { segments } = transcript
  const numbers = segments.map(({ segmentNumber }) => segmentNumber).toSorted((a, b) => a - b)
  const finals = events.filter(({ type }) => type === 'segment_finalized')
  const texts = segments.map(({ speaker, text }) => `${speaker}: ${text}`)
  const problems: string[] = []
  if (numbers.some((number, i) => number !== i + 1)) problems.push('segments are not numbered')
  if (finals.length !== segments.length)
    problems.push(`${segments.length} segments have ${finals.length} events`)
  if (new Set(texts).size < texts.length) problems.push('a segment is stored twice')
  if (typeof transcript.documentPath === 'string') {
    const { text } = await cluster.read(`/api/v1/meetings/${id}/document`)
    const written = formatLines(parseTranscriptMarkdown(String(text)))
    if (written !== formatLines(mergeIntoTurns(linesWithGaps(transcript))))
      problems.push('the document differs from the transcript')
  }
  return problems.map((problem) => `${id}: ${problem}`)
}
