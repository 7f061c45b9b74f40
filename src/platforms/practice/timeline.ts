import type { Person, Sighting } from '../platform.ts'
import { fillStep, fillText } from './fill.ts'
import { growthOf } from './growth.ts'
import type { Repeat, Say, Script, Step } from './script.ts'

/** What is seen, and when in the time of the script. The bot itself is among no people here. */
export type Moment = { atMs: number; sighting: Sighting }

/** While somebody speaks, real captions change three times a second. */
const CHANGE_MS = 330

/** Every moment of a script in order; the same for the same script. */
export function timelineOf(script: Script): Moment[] {
  const show = createStage(script.people)
  return stepsOf(script)
    .toSorted((a, b) => a.at - b.at)
    .flatMap((step) => show(step, Math.round(step.at * 1_000)))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** What was said, in the order of its beginning: every caption once, with its last text. */
export function expectedTranscript(script: Script): Array<{ speaker: string; text: string }> {
  const twins = new Set(
    stepsOf(script).flatMap((step) =>
      step.do === 'caption' && step.twinOf !== undefined ? [step.captionId] : [],
    ),
  )
  const said = new Map<string, { speaker: string; text: string }>()
  for (const { sighting } of timelineOf(script)) {
    if (sighting.seen !== 'caption' || twins.has(sighting.captionId)) continue
    const { captionId, speaker, text } = sighting
    if (text !== '') said.set(captionId, { speaker, text })
  }
  return [...said.values()]
}

/** The steps with every repetition written out. */
export function stepsOf({ steps }: Script): Step[] {
  return steps.flatMap((step) => (step.do === 'repeat' ? rounds(step) : [step]))
}

function rounds({ at, times, first, every, words, steps }: Repeat): Step[] {
  return Array.from({ length: times }, (_, i) =>
    steps.map((step) => ({ ...fillStep(step, first + i, words), at: at + i * every + step.at })),
  ).flat()
}

/** Turns steps into sightings; remembers who is there. */
function createStage(people: readonly Person[]): (step: Step, atMs: number) => Moment[] {
  const byId = new Map(people.map((person) => [person.id, person]))
  const present = new Set<Person>()

  function personOf(id: string): Person {
    const person = byId.get(id)
    if (!person) throw new Error(`${id} is none of the people`)
    return person
  }
  function seePeople(): Sighting {
    return { seen: 'people', people: [...present] }
  }
  function see(step: Exclude<Step, Say>): Sighting {
    if (step.do === 'join') for (const id of step.who) present.add(personOf(id))
    if (step.do === 'leave') for (const id of step.who) present.delete(personOf(id))
    if (step.do === 'join' || step.do === 'leave') return seePeople()
    if (step.do === 'caption') {
      const { at: _at, do: seen, twinOf: _twinOf, speaker, ...caption } = step
      return { seen, speaker: personOf(speaker).name, ...caption }
    }
    const { at: _at, do: seen, ...rest } = step
    return { seen, ...rest } as Sighting
  }
  return (step, atMs) =>
    step.do === 'say'
      ? speak(step, personOf(step.speaker).name, atMs)
      : [{ atMs, sighting: see(step) }]
}

function speak(say: Say, speaker: string, fromMs: number): Moment[] {
  const { captionId, via, more, isVersioned } = say
  const added = Array.from({ length: more?.times ?? 0 }, (_, i) =>
    more ? fillText(more.text, i + 1, more.words) : '',
  )
  const texts = growthOf([...via, [say.text, ...added].join(' ')])
  return texts.map((text, i) => ({
    atMs: fromMs + i * CHANGE_MS,
    sighting: {
      seen: 'caption',
      captionId,
      speaker,
      text,
      ...(isVersioned && { version: i + 1 }),
      ...(isVersioned && i === texts.length - 1 && { isFinal: true }),
    },
  }))
}
