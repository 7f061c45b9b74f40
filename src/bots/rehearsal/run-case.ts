import type { Stage } from '../../../stage/stage.ts'
import { systemTimers } from '../../lib/time/timers.ts'
import type {
  Caption,
  SelectorDrift,
  Evidence,
  Platform,
  PlatformEvent,
} from '../platforms/platform.ts'
import { expectedTranscript, buildTimeline } from '../platforms/practice/timeline.ts'
import type { RehearsalCase } from './rehearsal-cases.ts'

/** What the bot observed in one case. Times are milliseconds since the start of the case. */
export type RehearsalObservations = {
  firstAtMs: Map<PlatformEvent['kind'], number>
  /** The latest text of each caption, by caption id. */
  captions: Map<string, Caption>
  participantNames: Set<string>
  drifts: SelectorDrift[]
  evidence: Evidence | null
  endEvent: Extract<PlatformEvent, { kind: 'over' }> | null
  /** How long leaving took; null when the bot did not end the visit. */
  leftAfterMs: number | null
}

/** Time for everything but the script: starting the browser, loading the page, turning captions on. */
const OVERHEAD_MS = 60_000

/** Runs one bot in one case and records its events until it has observed everything or the time limit is reached. */
export async function runRehearsalCase(
  stage: Stage,
  platform: Platform,
  play: RehearsalCase,
): Promise<RehearsalObservations> {
  const link = platform.parseLink(play.address)
  if (link === null) throw new Error(`${play.address} is no address of ${platform.title}`)
  const seen = noObservations()
  const enough = new AbortController()
  const began = performance.now()
  const { finished } = stage.perform(play)
  finished.catch(() => enough.abort())
  const cancel = systemTimers.after(OVERHEAD_MS + scriptDurationMs(play), () => enough.abort())
  const joinRequest = {
    link,
    displayName: 'Hansard rehearsal',
    language: null,
    account: null,
    elapsedMs: 0,
  }
  const endsByItself = buildTimeline(play.script).some(({ event }) => event.kind === 'over')
  let leftAt = Infinity
  try {
    for await (const event of platform.attend(joinRequest, enough.signal)) {
      recordEvent(seen, event, performance.now() - began)
      if (endsByItself || enough.signal.aborted || !hasObservedAll(seen, play)) continue
      leftAt = performance.now()
      enough.abort()
    }
  } finally {
    cancel()
  }
  if (leftAt < Infinity) seen.leftAfterMs = performance.now() - leftAt
  // Rethrows the error of a script that failed. A script that still runs ends with the stage.
  await Promise.race([finished, Promise.resolve()])
  return seen
}

/** Whether the bot observed every participant and every sentence of the script. */
export function hasObservedAll(seen: RehearsalObservations, play: RehearsalCase): boolean {
  return missingParticipants(seen, play).length === 0 && missingSentences(seen, play).length === 0
}

export function missingParticipants(
  { participantNames }: RehearsalObservations,
  { script }: RehearsalCase,
): string[] {
  const came = buildTimeline(script).flatMap(({ event }) =>
    event.kind === 'people' ? event.people.map(({ name }) => name) : [],
  )
  return [...new Set(came)].filter((name) => !participantNames.has(name))
}

/** Sentences of the script that are in no caption of their speaker. */
export function missingSentences(
  { captions }: RehearsalObservations,
  { script }: RehearsalCase,
): string[] {
  const said = new Map<string, string>()
  for (const { speaker, text } of captions.values())
    said.set(speaker, `${said.get(speaker) ?? ''} ${normalizeSentence(text)}`)
  return expectedTranscript(script)
    .filter(({ speaker, text }) => !said.get(speaker)?.includes(normalizeSentence(text)))
    .map(({ text }) => text)
}

function normalizeSentence(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function recordEvent(seen: RehearsalObservations, event: PlatformEvent, ms: number): void {
  if (!seen.firstAtMs.has(event.kind)) seen.firstAtMs.set(event.kind, ms)
  if (event.kind === 'caption' && event.text !== '') seen.captions.set(event.captionId, event)
  else if (event.kind === 'people')
    for (const { name } of event.people) seen.participantNames.add(name)
  else if (event.kind === 'drift') seen.drifts.push(...event.drifts)
  else if (event.kind === 'evidence') seen.evidence = event.evidence
  else if (event.kind === 'over') seen.endEvent = event
}

export function noObservations(): RehearsalObservations {
  return {
    firstAtMs: new Map(),
    captions: new Map(),
    participantNames: new Set(),
    drifts: [],
    evidence: null,
    endEvent: null,
    leftAfterMs: null,
  }
}

function scriptDurationMs({ script, knobs }: RehearsalCase): number {
  return (buildTimeline(script).at(-1)?.atMs ?? 0) / knobs.speed
}
