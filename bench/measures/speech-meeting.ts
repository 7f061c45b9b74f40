import { setTimeout as sleep } from 'node:timers/promises'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { createLog } from '../../src/log.ts'
import { newMeetUrl, openStageBrowser } from '../../test/stage/stage-browser.ts'
import { createSingleBrowserPool } from '../../test/support/browser/single-browser-pool.ts'
import { countWordErrors, toComparableWords } from '../../test/support/speech/word-errors.ts'
import { openInstance, type Instance } from '../support/instance.ts'
import { measureDescendants } from '../support/process-usage.ts'
import type { Recording } from '../support/speech/recordings.ts'
import { openRecognition, percent, RUNTIMES } from './speech-alone.ts'

const NAMES = ['Ana Ribeiro', 'Ben Carter', 'Chloe Dubois']
const PAUSE_MS = 1_200
/** How long the bot waits for captions before it records speech. */
const CAPTIONS_MS = 13_000
/** How often all voices say a sentence at the same time. */
const OVERLAPS = 4
/** A segment may begin this long before its sentence, because it starts with some silence. */
const LEAD_MS = 800

const measureWorkers = () => measureDescendants(process.pid, 'speech').cpuMs
const measureBrowser = () => measureDescendants(process.pid, 'chrom').cpuMs

/** A sentence that a participant has said, and when it ended. */
type Said = { speaker: string; text: string; beganAt: number; endedAt: number }
type Segment = { speaker: string; text: string; startedAt: number; storedAt: number }

/** Three synthetic voices in a staged Google Meet call without captions, at real speed, through the whole service. */
export async function measureSpokenMeeting(voices: Map<string, Recording[]>): Promise<void> {
  const [runtime] = RUNTIMES
  if (runtime === undefined) return
  using recognition = openRecognition(runtime).open()
  await using stageBrowser = await openStageBrowser()
  const { stage, browser } = stageBrowser
  const pool = createSingleBrowserPool(browser, { initScript: stage.initScript })
  const platform = createGoogleMeet({ pool, log: createLog('warn'), speech: recognition })
  await using instance = await openInstance({}, { platforms: [platform] })
  const url = newMeetUrl()
  const people = NAMES.map((name, i) => ({ id: `p${i}`, name, ...(i === 0 && { isHost: true }) }))
  const show = stage.open(url, { cast: people, knobs: { hasSound: true, hasCaptions: false } })
  const body = { url, callbackUrl: 'listen:nobody', speech: 'fallback' }
  const started = await instance.call('POST', '/api/v1/meetings/start', body)
  if (started.status >= 300) throw new Error(`the start answered ${started.status}`)
  const meetingId = String(started.body['meetingId'])
  await show.waitFor('knocked')
  show.join(...people.map(({ id }) => id))
  show.admit()
  await waitUntilLive(instance, meetingId)

  const speak = async (i: number, { text, samples }: Recording): Promise<Said> => {
    const beganAt = Date.now()
    await show.speak(`p${i}`, { samples, sampleRate: 16_000 })
    return { speaker: NAMES[i] ?? '', text, beganAt, endedAt: Date.now() }
  }
  const turns = [...voices.values()]
  const said: Said[] = []
  const before = measureWorkers()
  const browserBefore = measureBrowser()
  const beganAt = performance.now()
  for (let n = 0; n < (turns[0]?.length ?? 0); n += 1)
    for (const [i, sentences] of turns.entries()) {
      const sentence = sentences[n]
      if (sentence === undefined) continue
      said.push(await speak(i, sentence))
      await sleep(PAUSE_MS)
    }
  const seconds = (performance.now() - beganAt) / 1_000
  const spoken = said.reduce((sum, { beganAt, endedAt }) => sum + endedAt - beganAt, 0) / 1_000
  const used = measureWorkers() - before
  const browserUsed = measureBrowser() - browserBefore
  const overlaps: Said[] = []
  for (let n = 0; n < OVERLAPS; n += 1) {
    const spoken = turns.flatMap((sentences) => sentences[n] ?? [])
    overlaps.push(...(await Promise.all(spoken.map((sentence, i) => speak(i, sentence)))))
    await sleep(PAUSE_MS)
  }
  await sleep(5_000)
  const segments = await readSegments(instance, meetingId)
  console.log('  a meeting of three voices in a staged call')
  console.log(
    `    ${((spoken / seconds) * 100).toFixed(0)} % of the time somebody speaks: recognition ${(used / seconds / 1_000).toFixed(3)} cores (goal 0.2), browser of the bot and the stage ${(browserUsed / seconds / 1_000).toFixed(3)} cores`,
  )
  report('one after the other', said, segments)
  report('all at once', overlaps, segments)
  await instance.call('POST', `/api/v1/meetings/${meetingId}/stop`)
}

async function waitUntilLive(instance: Instance, meetingId: string): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    const { body } = await instance.call('GET', `/api/v1/meetings/${meetingId}`)
    if ((body['meeting'] as { status: string }).status === 'live') return sleep(CAPTIONS_MS)
    await sleep(100)
  }
  throw new Error('the bot did not get in')
}

async function readSegments(instance: Instance, meetingId: string): Promise<Segment[]> {
  const { body } = await instance.call('GET', `/api/v1/meetings/${meetingId}/events?limit=500`)
  const events = body['events'] as Array<{
    type: string
    timestamp: string
    payload: { speaker: string; text: string; timestamp: string }
  }>
  return events
    .filter(({ type }) => type === 'segment_finalized')
    .map(({ timestamp, payload: { speaker, text, timestamp: startedAt } }) => ({
      speaker,
      text,
      startedAt: Date.parse(startedAt),
      storedAt: Date.parse(timestamp),
    }))
}

/** Compares the sentences of one part of the meeting with its segments. */
function report(title: string, said: readonly Said[], segments: readonly Segment[]): void {
  const beganAt = Math.min(...said.map((sentence) => sentence.beganAt)) - LEAD_MS
  const endedAt = Math.max(...said.map((sentence) => sentence.endedAt))
  const part = segments.filter(({ startedAt }) => startedAt > beganAt && startedAt < endedAt)
  console.log(`    ${title}`)
  let [errors, words] = [0, 0]
  for (const name of NAMES) {
    const spoken = toComparableWords(textOf(said, name))
    const wrong = countWordErrors(spoken, toComparableWords(textOf(part, name)))
    errors += wrong
    words += spoken.length
    if (spoken.length > 0)
      console.log(
        `      ${name.padEnd(14)} ${percent(wrong, spoken.length)} of ${spoken.length} words`,
      )
  }
  const named = part.filter((segment) => said.some((sentence) => isOf(segment, sentence)))
  const answers = said.map((sentence) => part.filter((segment) => isOf(segment, sentence)))
  const first = said.filter(({ text }, i) => startsAlike(text, answers[i]?.[0]?.text ?? ''))
  const delays = said.flatMap((sentence, i) => {
    const last = answers[i]?.at(-1)
    return last === undefined ? [] : [last.storedAt - sentence.endedAt]
  })
  const starts = said.flatMap((sentence, i) => {
    const heard = answers[i]?.[0]
    return heard === undefined ? [] : [heard.startedAt - sentence.beganAt]
  })
  console.log(`      all            ${percent(errors, words)} of ${words} words (goal 6 %)`)
  for (const [i, { text }] of said.entries()) {
    const heard = (answers[i] ?? []).map((segment) => segment.text).join(' ')
    if (countWordErrors(toComparableWords(text), toComparableWords(heard)) > 0)
      console.log(`      said: ${text}\n     heard: ${heard}`)
  }
  console.log(`      right names    ${named.length} of ${part.length} segments`)
  console.log(`      first word     ${first.length} of ${said.length} sentences`)
  console.log(
    `      start of segment after start of sentence: median ${quantile(starts, 0.5)} ms, longest ${quantile(starts, 1)} ms`,
  )
  console.log(
    `      end of sentence to segment_finalized: median ${quantile(delays, 0.5)} ms, p95 ${quantile(delays, 0.95)} ms (goal 2,500)`,
  )
}

function textOf(parts: ReadonlyArray<{ speaker: string; text: string }>, name: string): string {
  return parts
    .filter(({ speaker }) => speaker === name)
    .map(({ text }) => text)
    .join(' ')
}

/** True if a segment belongs to a sentence, judged by its speaker and the time at which it began. */
function isOf({ speaker, startedAt }: Segment, sentence: Said): boolean {
  const isInTime = startedAt > sentence.beganAt - LEAD_MS && startedAt < sentence.endedAt
  return speaker === sentence.speaker && isInTime
}

function startsAlike(text: string, heard: string): boolean {
  return toComparableWords(text)[0] === toComparableWords(heard)[0]
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
}
