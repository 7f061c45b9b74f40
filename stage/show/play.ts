import type { Sighting } from '../../src/platforms/platform.ts'
import type { Script } from '../../src/platforms/practice/script.ts'
import { stepsOf, timelineOf } from '../../src/platforms/practice/timeline.ts'
import { SCREEN_OF_END } from './doors.ts'
import { paced, roughEnd } from './rough.ts'
import type { Show } from './show.ts'

/** Shorter waits are saved up, as timers are too coarse for them. */
const SHORTEST_WAIT_MS = 10

/** Plays a script of the practice platform on the stage, from the moment somebody knocks. */
export async function play(show: Show, script: Script): Promise<void> {
  const act = createActor(show, script)
  const moments = paced(timelineOf(script), show.knobs.cadenceMs)
  await show.until('knocked')
  let startedMs = show.timers.now()
  let isHeard = !show.knobs.waitsForCaptions
  for (const { atMs, sighting } of moments) {
    const owedMs = startedMs + atMs - show.timers.now()
    if (owedMs / show.knobs.speed >= SHORTEST_WAIT_MS) await show.timers.sleep(owedMs)
    if (!isHeard && sighting.seen === 'caption') {
      isHeard = true
      await show.until('captions on')
      startedMs = show.timers.now() - atMs
    }
    act(sighting)
  }
}

function createActor(show: Show, script: Script): (sighting: Sighting) => void {
  const idOf = new Map(script.people.map(({ id, name }) => [name, id]))
  const steps = stepsOf(script)
  const twins = new Set(
    steps.flatMap((step) => (step.do === 'caption' && step.twinOf ? [step.captionId] : [])),
  )
  const lastTexts = new Map(
    timelineOf(script).flatMap(({ sighting }) =>
      sighting.seen === 'caption' ? [[sighting.captionId, sighting.text]] : [],
    ),
  )
  let here: readonly string[] = []

  function people(ids: readonly string[]): void {
    const [came, went] = [
      ids.filter((id) => !here.includes(id)),
      here.filter((id) => !ids.includes(id)),
    ]
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
    else {
      const screen = SCREEN_OF_END[sighting.because]
      if (screen === null) throw new Error(`the stage has no screen for ${sighting.because}`)
      show.turn(screen)
    }
  }
}
