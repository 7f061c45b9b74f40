import type { Stage } from '../../stage/stage.ts'
import { systemTimers } from '../lib/timers.ts'
import type { Caption, Drifted, Evidence, Platform, Sighting } from '../platforms/platform.ts'
import { expectedTranscript, timelineOf } from '../platforms/practice/timeline.ts'
import type { Play } from './programme.ts'

/** What a bot saw of a play; times in milliseconds since it set out. */
export type Seen = {
  at: Map<Sighting['seen'], number>
  /** The last text of each. */
  captions: Map<string, Caption>
  names: Set<string>
  drifts: Drifted[]
  evidence: Evidence | null
  over: Extract<Sighting, { seen: 'over' }> | null
  /** How long our own leaving took; null when it was not for us to leave. */
  leftAfterMs: number | null
}

/** For everything but the play itself: a browser that starts, a page that loads, captions that come on. */
const PATIENCE_MS = 60_000

/** Sends one bot to one play and writes down what it sees, until it has seen everything or nothing more comes. */
export async function observe(stage: Stage, platform: Platform, play: Play): Promise<Seen> {
  const address = platform.recognise(play.address)
  if (address === null) throw new Error(`${play.address} is no address of ${platform.title}`)
  const seen = nothing()
  const enough = new AbortController()
  const began = performance.now()
  const { finished } = stage.perform(play)
  finished.catch(() => enough.abort())
  const cancel = systemTimers.after(PATIENCE_MS + lengthOf(play), () => enough.abort())
  const visit = {
    address,
    displayName: 'Hansard rehearsal',
    language: null,
    account: null,
    elapsedMs: 0,
  }
  const endsByItself = timelineOf(play.script).some(({ sighting }) => sighting.seen === 'over')
  let leftAt = Infinity
  try {
    for await (const sighting of platform.attend(visit, enough.signal)) {
      note(seen, sighting, performance.now() - began)
      if (endsByItself || enough.signal.aborted || !hasSeenAll(seen, play)) continue
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
export function hasSeenAll(seen: Seen, play: Play): boolean {
  return missingPeople(seen, play).length === 0 && missingWords(seen, play).length === 0
}

export function missingPeople({ names }: Seen, { script }: Play): string[] {
  const came = timelineOf(script).flatMap(({ sighting }) =>
    sighting.seen === 'people' ? sighting.people.map(({ name }) => name) : [],
  )
  return [...new Set(came)].filter((name) => !names.has(name))
}

/** Sentences of the script that stand in no caption of their speaker. */
export function missingWords({ captions }: Seen, { script }: Play): string[] {
  const said = new Map<string, string>()
  for (const { speaker, text } of captions.values())
    said.set(speaker, `${said.get(speaker) ?? ''} ${plain(text)}`)
  return expectedTranscript(script)
    .filter(({ speaker, text }) => !said.get(speaker)?.includes(plain(text)))
    .map(({ text }) => text)
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function note(seen: Seen, sighting: Sighting, ms: number): void {
  if (!seen.at.has(sighting.seen)) seen.at.set(sighting.seen, ms)
  if (sighting.seen === 'caption' && sighting.text !== '')
    seen.captions.set(sighting.captionId, sighting)
  else if (sighting.seen === 'people') for (const { name } of sighting.people) seen.names.add(name)
  else if (sighting.seen === 'drift') seen.drifts.push(...sighting.drifts)
  else if (sighting.seen === 'evidence') seen.evidence = sighting.evidence
  else if (sighting.seen === 'over') seen.over = sighting
}

export function nothing(): Seen {
  return {
    at: new Map(),
    captions: new Map(),
    names: new Set(),
    drifts: [],
    evidence: null,
    over: null,
    leftAfterMs: null,
  }
}

function lengthOf({ script, knobs }: Play): number {
  return (timelineOf(script).at(-1)?.atMs ?? 0) / knobs.speed
}
