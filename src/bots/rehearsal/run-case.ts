import { readKnobs, type KnobSettings } from '../../../stage/meeting/knobs.ts'
import {
  parseRehearsal,
  readRehearsal,
  type Rehearsal,
} from '../../../stage/rehearsals/rehearsal.ts'
import type { Stage } from '../../../stage/stage.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode } from '../../lib/error-code.ts'
import { systemTimers } from '../../lib/time/clock.ts'
import type {
  Caption,
  SelectorDrift,
  FailureEvidence,
  Platform,
  PlatformEvent,
} from '../platforms/platform.ts'
import { expectedTranscript, buildTimeline } from '../platforms/practice/timeline.ts'
import {
  REHEARSAL_PLATFORM_CLI_NAMES,
  requireRehearsalPlatform,
  type RehearsalPlatformCliName,
} from './rehearsal-platforms.ts'

/** What the bot observed in one case. Times are milliseconds since the case started. */
export type RehearsalObservations = {
  firstAtMs: Map<PlatformEvent['kind'], number>
  /** The latest text of each caption, by caption id. */
  captions: Map<string, Caption>
  participantNames: Set<string>
  drifts: SelectorDrift[]
  evidence: FailureEvidence | null
  endEvent: Extract<PlatformEvent, { kind: 'over' }> | null
  /** How long leaving took; null if the bot did not end the visit. */
  leftAfterMs: number | null
}

/** Time for everything but the script: starting the browser, loading the page, turning captions on. */
const OVERHEAD_MS = 60_000

export type RehearsalCase = Rehearsal & {
  /** What a passed case proves. */
  about: string
  /** The source that must deliver the captions; null accepts either. */
  source: Source | null
}

/** The script of the short meeting: two participants, three sentences, and the bot leaves at the end. */
const SHORT_SCRIPT = {
  about: 'A short meeting in which everything happens once',
  people: [
    { id: 'ana', name: 'Ana Ribeiro', isHost: true },
    { id: 'ben', name: 'Ben Carter' },
  ],
  steps: [
    { at: 0.5, do: 'lobby' },
    { at: 2, do: 'admitted' },
    { at: 2, do: 'join', who: ['ana', 'ben'] },
    { at: 4, do: 'say', captionId: 'one', speaker: 'ana', text: 'Good morning, shall we begin?' },
    { at: 8, do: 'say', captionId: 'two', speaker: 'ben', text: 'Yes, the numbers are ready.' },
    { at: 12, do: 'say', captionId: 'three', speaker: 'ana', text: 'Then we are done for today.' },
  ],
}

/** One case for each source of captions. In the page's case, there are no captions on the wire. */
const SOURCES = {
  wire: {},
  page: { wires: [] },
} as const satisfies Record<string, KnobSettings>
type Source = keyof typeof SOURCES

const KNOBS = { waitsForCaptions: true, speed: 3 } satisfies KnobSettings
/** Stage scripts have the pace of real meetings, which is too slow for a rehearsal. They play at least this fast. */
const MIN_SPEED = 10

/** Runs one bot in one case, and records its events until it has observed everything or the time limit is reached. */
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
  // Rethrows the error of a failed script. A script that still runs ends with the stage.
  await Promise.race([finished, Promise.resolve()])
  return observations
}

/** True if the bot observed every participant and every sentence of the script. */
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

/** The script's sentences that are in no caption of their speaker. */
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

/** The cases of a platform: the short meeting once for each source of captions, or the named script. */
export async function loadRehearsalCases(
  platform: RehearsalPlatformCliName,
  script: string | undefined,
): Promise<RehearsalCase[]> {
  if (script !== undefined) return [await loadNamedCase(platform, script)]
  return (Object.keys(SOURCES) as Source[]).map((source) => {
    const [address, knobs] = [
      requireRehearsalPlatform(platform).links[source],
      { ...KNOBS, ...SOURCES[source] },
    ]
    return {
      ...parseRehearsal({ about: SHORT_SCRIPT.about, address, script: SHORT_SCRIPT, knobs }),
      source,
    }
  })
}

async function loadNamedCase(
  platform: RehearsalPlatformCliName,
  script: string,
): Promise<RehearsalCase> {
  const name = script.startsWith(`${platform}-`) ? script : `${platform}-${script}`
  const rehearsal = await readNamedRehearsal(name)
  const speed = Math.max(MIN_SPEED, rehearsal.knobs.speed)
  const knobs = readKnobs({ ...rehearsal.knobs, speed, waitsForCaptions: true })
  return { ...rehearsal, knobs, source: null }
}

async function readNamedRehearsal(name: string) {
  const unknown = new OperatorError(
    `There is no rehearsal ${name}`,
    'The scripts are in stage/scripts/',
  )
  const prefixes = REHEARSAL_PLATFORM_CLI_NAMES.join('|')
  if (!new RegExp(`^(${prefixes})-[a-z0-9-]+$`).test(name)) throw unknown
  try {
    return await readRehearsal(name)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw unknown
    throw error
  }
}
