import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import type { MeetingScript } from '../../src/bots/platforms/practice/script-schema.ts'
import { expandSteps, buildTimeline } from '../../src/bots/platforms/practice/timeline.ts'
import { SCREEN_BY_END_REASON } from '../meeting/screens.ts'
import type { Cue, Rehearsal } from './rehearsal.ts'
import { paceCaptions, roughenEnd } from '../meeting/captions/caption-pacing.ts'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'

/** Shorter waits are saved up, as timers are too coarse for them. */
const SHORTEST_WAIT_MS = 10

type ScheduledStep = { atMs: number; kind: PlatformEvent['kind'] | null; act: () => void }

/**
 * Plays a rehearsal from the moment somebody knocks; comes to its end early when the show closes. Nobody is let in
 * before `admission`.
 */
export async function playRehearsal(
  show: StagedMeeting,
  rehearsal: Rehearsal,
  admission: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const captions = () =>
    show.knobs.waitsForCaptions ? show.until('captions on') : Promise.resolve()
  try {
    await playSteps(show, scheduleSteps(show, rehearsal), {
      admitted: () => admission,
      caption: captions,
    })
  } catch (error) {
    if (!show.isClosed()) throw error
  }
}

/** `holds`: what the first beat of a kind waits for; the rest of the script waits with it. */
async function playSteps(
  show: StagedMeeting,
  beats: readonly ScheduledStep[],
  holds: Partial<Record<PlatformEvent['kind'], () => Promise<unknown>>>,
): Promise<void> {
  const { timers, knobs } = show
  await show.until('knocked')
  let startedMs = timers.now()
  const held = new Set<PlatformEvent['kind']>()
  for (const { atMs, kind, act } of beats) {
    const owedMs = startedMs + atMs - timers.now()
    if (owedMs / knobs.speed >= SHORTEST_WAIT_MS) await timers.sleep(owedMs)
    const hold = kind === null || held.has(kind) ? undefined : holds[kind]
    if (hold !== undefined && kind !== null) {
      held.add(kind)
      await hold()
      startedMs = Math.max(startedMs, timers.now() - atMs)
    }
    act()
  }
}

function scheduleSteps(show: StagedMeeting, { script, cues }: Rehearsal): ScheduledStep[] {
  const act = createEventPlayer(show, script)
  const moments = paceCaptions(buildTimeline(script), show.knobs.cadenceMs).map(
    ({ atMs, event }) => ({
      atMs,
      kind: event.kind,
      act: () => act(event),
    }),
  )
  const asides = cues.map((cue) => ({
    atMs: cue.at * 1_000,
    kind: null,
    act: () => performCue(show, cue),
  }))
  return [...moments, ...asides].toSorted((a, b) => a.atMs - b.atMs)
}

function performCue(show: StagedMeeting, cue: Cue): void {
  if (cue.do === 'chat') show.chat(cue.speaker, cue.text)
  else show.connection(cue.do === 'connection lost')
}

function createEventPlayer(
  show: StagedMeeting,
  script: MeetingScript,
): (sighting: PlatformEvent) => void {
  const idOf = new Map(script.people.map(({ id, name }) => [name, id]))
  const twins = new Set(
    expandSteps(script).flatMap((step) =>
      step.do === 'caption' && step.twinOf !== undefined ? [step.captionId] : [],
    ),
  )
  const lastTexts = new Map(
    buildTimeline(script).flatMap(({ event }) =>
      event.kind === 'caption' ? [[event.captionId, event.text]] : [],
    ),
  )
  let here: readonly string[] = []

  function people(ids: readonly string[]): void {
    const came = ids.filter((id) => !here.includes(id))
    const went = here.filter((id) => !ids.includes(id))
    here = ids
    if (came.length > 0) show.join(...came)
    if (went.length > 0) show.leave(...went)
  }
  function caption(seen: Extract<PlatformEvent, { kind: 'caption' }>): void {
    const { captionId, text, isGone = false } = seen
    const isFinal = lastTexts.get(captionId) === text
    show.caption({
      captionId,
      speaker: idOf.get(seen.speaker) ?? seen.speaker,
      text: isFinal ? text : roughenEnd(text, show.knobs.correctionDepth),
      isFinal,
      isGone,
      isTwin: twins.has(captionId),
    })
  }

  return (sighting) => {
    if (sighting.kind === 'lobby') show.lobby()
    else if (sighting.kind === 'admitted') show.admit()
    else if (sighting.kind === 'people') people(sighting.people.map(({ id }) => id))
    else if (sighting.kind === 'caption') caption(sighting)
    else if (sighting.kind === 'captions lost') show.captions(false)
    else if (sighting.kind === 'captions back') show.captions(true)
    else if (sighting.kind === 'door') show.turn('prejoin')
    else if (sighting.kind === 'not started') show.turn('host-absent')
    else if (sighting.kind === 'over') {
      const screen = SCREEN_BY_END_REASON[sighting.because]
      if (screen === null) throw new Error(`the stage has no screen for ${sighting.because}`)
      show.turn(screen)
    }
  }
}
