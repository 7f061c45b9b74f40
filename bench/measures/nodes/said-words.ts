import type { Cluster } from '../../../faults/cluster/cluster.ts'
import { readScript } from '../../../src/bots/platforms/practice/script-reading/script-library.ts'
import { buildTimeline } from '../../../src/bots/platforms/practice/timeline.ts'
import { createConcurrencyLimit } from '../../../src/lib/async/queues.ts'
import { addWordCounts, countWords, NO_WORDS, type Utterance, type WordCounts } from './words.ts'

const SLACK_MS = 1_500
/** Words said shortly before the end may not be final when the meeting is stopped. */
const BEFORE_STOP_MS = 5_000
const READS_AT_ONCE = 4
const NEAR_MS = 3_000

type Transcript = {
  segments: Array<{ speaker: string; text: string; timestamp: string; segmentNumber: number }>
  gaps: Array<{ startedAt: string; endedAt: string | null }>
}

/** Compares the transcripts of practice meetings with their script. */
export async function countWordsOfMeetings(
  cluster: Cluster,
  ids: readonly string[],
  { speed, stoppedAt }: { speed: number; stoppedAt: number },
): Promise<WordCounts> {
  const script = readUtterances()
  const limit = createConcurrencyLimit(READS_AT_ONCE)
  const countOne = async (id: string) => {
    const transcript = (await cluster.read(`/api/v1/meetings/${id}/transcript`)) as Transcript
    const segments = transcript.segments.toSorted((a, b) => a.segmentNumber - b.segmentNumber)
    const startMs = findScriptStart(script, segments, speed)
    if (startMs === null) throw new Error(`${id} has no segment of its script`)
    const delayMs = findDelay(script, segments, startMs, speed)
    const said = script
      .map(({ speaker, text, fromMs, toMs }) => ({
        speaker,
        text,
        fromMs: startMs + fromMs / speed,
        toMs: startMs + toMs / speed,
      }))
      .filter(({ toMs }) => toMs < stoppedAt - BEFORE_STOP_MS - delayMs)
    const gaps = transcript.gaps.map(({ startedAt, endedAt }) => ({
      fromMs: Date.parse(startedAt),
      toMs: endedAt === null ? Infinity : Date.parse(endedAt),
    }))
    // A bot that takes over calculates its place in the script from the start request, but the first bot from its
    // arrival. So no bot hears the part of the script between the two.
    const { startedAt } = (await cluster.read(`/api/v1/meetings/${id}`))['meeting'] as {
      startedAt: string
    }
    const skewMs = Math.max(0, startMs - Date.parse(startedAt))
    return countWords(
      said,
      segments.map(({ speaker, text, timestamp }) => ({
        speaker,
        text,
        atMs: Date.parse(timestamp),
      })),
      gaps,
      SLACK_MS + skewMs,
      (utterance, problem) => reportWrong(id, utterance, problem, transcript),
    )
  }
  const counts = await Promise.all(ids.map((id) => limit(() => countOne(id))))
  return counts.reduce(addWordCounts, NO_WORDS)
}

/** Shows what was stored around an utterance with lost or doubled words. */
function reportWrong(
  id: string,
  { text, fromMs, toMs }: Utterance,
  problem: 'lost' | 'doubled',
  { segments, gaps }: Transcript,
) {
  const near = segments.filter(({ timestamp }) => {
    const atMs = Date.parse(timestamp)
    return atMs > fromMs - NEAR_MS && atMs < toMs + NEAR_MS
  })
  const times = `${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}`
  console.log(
    `      ${id} ${problem} words of “${text}” (${times}), stored: ${JSON.stringify(near)}, gaps: ${JSON.stringify(gaps)}`,
  )
}

/** The utterances of the script, in script time. */
function readUtterances(): Utterance[] {
  const byCaption = new Map<string, Utterance>()
  for (const { atMs, event } of buildTimeline(readScript('long'))) {
    if (event.kind !== 'caption' || event.text === '') continue
    const fromMs = byCaption.get(event.captionId)?.fromMs ?? atMs
    byCaption.set(event.captionId, {
      speaker: event.speaker,
      text: event.text,
      fromMs,
      toMs: atMs,
    })
  }
  return [...byCaption.values()]
}

/** The wall-clock time at which the script began, derived from the first segment that is a complete utterance. */
function findScriptStart(
  script: readonly Utterance[],
  segments: Transcript['segments'],
  speed: number,
): number | null {
  for (const { text, timestamp } of segments) {
    const said = script.find((utterance) => utterance.text === text)
    if (said !== undefined) return Date.parse(timestamp) - said.fromMs / speed
  }
  return null
}

/**
 * How far the script lags behind its times at the last segment that is a complete utterance. It lags on a busy machine,
 * and while a bot cannot store what it hears.
 */
function findDelay(
  script: readonly Utterance[],
  segments: Transcript['segments'],
  startMs: number,
  speed: number,
): number {
  for (const { text, timestamp } of segments.toReversed()) {
    const said = script.find((utterance) => utterance.text === text)
    if (said !== undefined)
      return Math.max(0, Date.parse(timestamp) - startMs - said.fromMs / speed)
  }
  return 0
}
