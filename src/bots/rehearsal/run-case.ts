import type { Stage } from '../../../stage/stage.ts'
import { systemTimers } from '../../lib/time/timers.ts'
import type {
  Caption,
  SelectorDrift,
  FailureEvidence,
  Platform,
  PlatformEvent,
} from '../platforms/platform.ts'
import { expectedTranscript, buildTimeline } from '../platforms/practice/timeline/timeline.ts'
import type { RehearsalCase } from './rehearsal-cases.ts'

/** What the bot observed in one case. Times are milliseconds since the start of the case. */
export type RehearsalObservations = {
  firstAtMs: Map<PlatformEvent['kind'], number>
  /** The latest text of each caption, by caption id. */
  captions: Map<string, Caption>
  participantNames: Set<string>
  drifts: SelectorDrift[]
  evidence: FailureEvidence | null
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
  rehearsalCase: RehearsalCase,
): Promise<RehearsalObservations> {
  const link = platform.parseLink(rehearsalCase.address)
  if (link === null) throw new Error(`${rehearsalCase.address} is no address of ${platform.title}`)
  const observations = createEmptyObservations()
  const stop = new AbortController()
  const startedAt = performance.now()
  const { finished } = stage.perform(rehearsalCase)
  finished.catch(() => stop.abort())
  const cancel = systemTimers.after(OVERHEAD_MS + scriptDurationMs(rehearsalCase), () =>
    stop.abort(),
  )
  const joinRequest = {
    link,
    displayName: 'Hansard rehearsal',
    language: null,
    account: null,
    elapsedMs: 0,
    wasAdmittedBefore: false,
  }
  const endsByItself = buildTimeline(rehearsalCase.script).some(
    ({ event }) => event.kind === 'over',
  )
  let leftAt = Infinity
  try {
    for await (const event of platform.attend(joinRequest, stop.signal)) {
      recordObservedEvent(observations, event, performance.now() - startedAt)
      if (
        endsByItself ||
        stop.signal.aborted ||
        !hasObservedWholeScript(observations, rehearsalCase)
      )
        continue
      leftAt = performance.now()
      stop.abort()
    }
  } finally {
    cancel()
  }
  if (leftAt < Infinity) observations.leftAfterMs = performance.now() - leftAt
  // Rethrows the error of a script that failed. A script that still runs ends with the stage.
  await Promise.race([finished, Promise.resolve()])
  return observations
}

/** Whether the bot observed every participant and every sentence of the script. */
export function hasObservedWholeScript(
  observations: RehearsalObservations,
  rehearsalCase: RehearsalCase,
): boolean {
  return (
    missingParticipants(observations, rehearsalCase).length === 0 &&
    missingSentences(observations, rehearsalCase).length === 0
  )
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

export function recordObservedEvent(
  observations: RehearsalObservations,
  event: PlatformEvent,
  ms: number,
): void {
  if (!observations.firstAtMs.has(event.kind)) observations.firstAtMs.set(event.kind, ms)
  if (event.kind === 'caption' && event.text !== '')
    observations.captions.set(event.captionId, event)
  else if (event.kind === 'people')
    for (const { name } of event.people) observations.participantNames.add(name)
  else if (event.kind === 'drift') observations.drifts.push(...event.drifts)
  else if (event.kind === 'evidence') observations.evidence = event.evidence
  else if (event.kind === 'over') observations.endEvent = event
}

export function createEmptyObservations(): RehearsalObservations {
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
