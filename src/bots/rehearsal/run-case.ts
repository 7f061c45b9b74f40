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

/** What a bot saw of a play; times in milliseconds since it set out. */
export type RehearsalObservations = {
  firstAtMs: Map<PlatformEvent['kind'], number>
  /** The last text of each. */
  captions: Map<string, Caption>
  participantNames: Set<string>
  drifts: SelectorDrift[]
  evidence: Evidence | null
  endEvent: Extract<PlatformEvent, { kind: 'over' }> | null
  /** How long our own leaving took; null when it was not for us to leave. */
  leftAfterMs: number | null
}

/** For everything but the play itself: a browser that starts, a page that loads, captions that come on. */
const OVERHEAD_MS = 60_000

/** Sends one bot to one play and writes down what it sees, until it has seen everything or nothing more comes. */
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
  // A play that broke off tells nothing about the bot; one that goes on ends with the stage.
  await Promise.race([finished, Promise.resolve()])
  return seen
}

/** Whether everybody and every word was there. */
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

/** Sentences of the script that stand in no caption of their speaker. */
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
