import type { Sighting } from '../../src/platforms/platform.ts'
import type { Script } from '../../src/platforms/practice/script.ts'
import { stepsOf, timelineOf } from '../../src/platforms/practice/timeline.ts'
import { SCREEN_OF_END } from './doors.ts'
import type { Cue, Rehearsal } from './rehearsal.ts'
import { paced, roughEnd } from './rough.ts'
import type { Show } from './show.ts'

/** Shorter waits are saved up, as timers are too coarse for them. */
const SHORTEST_WAIT_MS = 10

type Beat = { atMs: number; seen: Sighting['seen'] | null; act: () => void }

/**
 * Plays a rehearsal from the moment somebody knocks; comes to its end early when the show closes. Nobody is let in
 * before `admission`.
 */
export async function play(
  show: Show,
  rehearsal: Rehearsal,
  admission: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const captions = () =>
    show.knobs.waitsForCaptions ? show.until('captions on') : Promise.resolve()
  try {
    await playBeats(show, beatsOf(show, rehearsal), {
      admitted: () => admission,
      caption: captions,
    })
  } catch (error) {
    if (!show.isClosed()) throw error
  }
}

/** `holds`: what the first beat of a kind waits for; the rest of the script waits with it. */
async function playBeats(
  show: Show,
  beats: readonly Beat[],
  holds: Partial<Record<Sighting['seen'], () => Promise<unknown>>>,
): Promise<void> {
  const { timers, knobs } = show
  await show.until('knocked')
  let startedMs = timers.now()
  const held = new Set<Sighting['seen']>()
  for (const { atMs, seen, act } of beats) {
    const owedMs = startedMs + atMs - timers.now()
    if (owedMs / knobs.speed >= SHORTEST_WAIT_MS) await timers.sleep(owedMs)
    const hold = seen === null || held.has(seen) ? undefined : holds[seen]
    if (hold !== undefined && seen !== null) {
      held.add(seen)
      await hold()
      startedMs = Math.max(startedMs, timers.now() - atMs)
    }
    act()
  }
}

function beatsOf(show: Show, { script, cues }: Rehearsal): Beat[] {
  const act = createActor(show, script)
  const moments = paced(timelineOf(script), show.knobs.cadenceMs).map(({ atMs, sighting }) => ({
    atMs,
    seen: sighting.seen,
    act: () => act(sighting),
  }))
  const asides = cues.map((cue) => ({
    atMs: cue.at * 1_000,
    seen: null,
    act: () => follow(show, cue),
  }))
  return [...moments, ...asides].toSorted((a, b) => a.atMs - b.atMs)
}

function follow(show: Show, cue: Cue): void {
  if (cue.do === 'chat') show.chat(cue.speaker, cue.text)
  else show.connection(cue.do === 'connection lost')
}

function createActor(show: Show, script: Script): (sighting: Sighting) => void {
  const idOf = new Map(script.people.map(({ id, name }) => [name, id]))
  const twins = new Set(
    stepsOf(script).flatMap((step) =>
      step.do === 'caption' && step.twinOf !== undefined ? [step.captionId] : [],
    ),
  )
  const lastTexts = new Map(
    timelineOf(script).flatMap(({ sighting }) =>
      sighting.seen === 'caption' ? [[sighting.captionId, sighting.text]] : [],
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
  function caption(seen: Extract<Sighting, { seen: 'caption' }>): void {
    const { captionId, text, isGone = false } = seen
    const isFinal = lastTexts.get(captionId) === text
    show.caption({
      captionId,
      speaker: idOf.get(seen.speaker) ?? seen.speaker,
      text: isFinal ? text : roughEnd(text, show.knobs.correctionDepth),
      isFinal,
      isGone,
      isTwin: twins.has(captionId),
    })
  }

  return (sighting) => {
    if (sighting.seen === 'lobby') show.lobby()
    else if (sighting.seen === 'admitted') show.admit()
    else if (sighting.seen === 'people') people(sighting.people.map(({ id }) => id))
    else if (sighting.seen === 'caption') caption(sighting)
    else if (sighting.seen === 'captions lost') show.captions(false)
    else if (sighting.seen === 'captions back') show.captions(true)
    else if (sighting.seen === 'door') show.turn('prejoin')
    else if (sighting.seen === 'not started') show.turn('host-absent')
    else if (sighting.seen === 'over') {
      const screen = SCREEN_OF_END[sighting.because]
      if (screen === null) throw new Error(`the stage has no screen for ${sighting.because}`)
      show.turn(screen)
    }
  }
}
