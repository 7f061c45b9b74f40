import type { Participant, PlatformEvent } from '../../platform.ts'
import { fillStepPlaceholders, fillTextPlaceholders } from '../script-reading/fill-placeholders.ts'
import { listGrowingCaptionTexts } from './caption-growth.ts'
import type {
  RepeatStep,
  SayStep,
  MeetingScript,
  ScriptStep,
} from '../script-reading/script-schema.ts'

/** An event and its time in the script. The bot is not among the participants here. */
export type TimelineEntry = { atMs: number; event: PlatformEvent }

/** Real captions change about three times a second during speech. */
const CAPTION_CHANGE_MS = 330

/** All events of a script in order; always the same for the same script. */
export function buildTimeline(script: MeetingScript): TimelineEntry[] {
  const show = createStepPlayer(script.people)
  return expandRepeatSteps(script)
    .toSorted((a, b) => a.at - b.at)
    .flatMap((step) => show(step, Math.round(step.at * 1_000)))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** What was said, in order of the first words: each caption once, with its last text. */
export function expectedTranscript(
  script: MeetingScript,
): Array<{ speaker: string; text: string }> {
  const twins = new Set(
    expandRepeatSteps(script).flatMap((step) =>
      step.do === 'caption' && step.twinOf !== undefined ? [step.captionId] : [],
    ),
  )
  const said = new Map<string, { speaker: string; text: string }>()
  for (const { event } of buildTimeline(script)) {
    if (event.kind !== 'caption' || twins.has(event.captionId)) continue
    const { captionId, speaker, text } = event
    if (text !== '') said.set(captionId, { speaker, text })
  }
  return [...said.values()]
}

/** The steps with all repetitions expanded. */
export function expandRepeatSteps({ steps }: MeetingScript): ScriptStep[] {
  return steps.flatMap((step) => (step.do === 'repeat' ? expandRepeat(step) : [step]))
}

function expandRepeat({ at, times, first, every, words, steps }: RepeatStep): ScriptStep[] {
  return Array.from({ length: times }, (_, i) =>
    steps.map((step) => ({
      ...fillStepPlaceholders(step, first + i, words),
      at: at + i * every + step.at,
    })),
  ).flat()
}

/** Turns script steps into events and tracks who is present. */
function createStepPlayer(
  people: readonly Participant[],
): (step: ScriptStep, atMs: number) => TimelineEntry[] {
  const byId = new Map(people.map((person) => [person.id, person]))
  const present = new Set<Participant>()

  function personOf(id: string): Participant {
    const person = byId.get(id)
    if (!person) throw new Error(`${id} is not a participant`)
    return person
  }
  function participantsEvent(): PlatformEvent {
    return { kind: 'people', people: [...present] }
  }
  function toEvent(step: Exclude<ScriptStep, SayStep>): PlatformEvent {
    if (step.do === 'join') for (const id of step.who) present.add(personOf(id))
    if (step.do === 'leave') for (const id of step.who) present.delete(personOf(id))
    if (step.do === 'join' || step.do === 'leave') return participantsEvent()
    if (step.do === 'caption') {
      const { at: _at, do: kind, twinOf: _twinOf, speaker, ...caption } = step
      return { kind, speaker: personOf(speaker).name, ...caption }
    }
    const { at: _at, do: kind, ...rest } = step
    return { kind, ...rest } as PlatformEvent
  }
  return (step, atMs) =>
    step.do === 'say'
      ? playSpeech(step, personOf(step.speaker).name, atMs)
      : [{ atMs, event: toEvent(step) }]
}

function playSpeech(say: SayStep, speaker: string, fromMs: number): TimelineEntry[] {
  const { captionId, via, more, isVersioned } = say
  const added = Array.from({ length: more?.times ?? 0 }, (_, i) =>
    more ? fillTextPlaceholders(more.text, i + 1, more.words) : '',
  )
  const texts = listGrowingCaptionTexts([...via, [say.text, ...added].join(' ')])
  return texts.map((text, i) => ({
    atMs: fromMs + i * CAPTION_CHANGE_MS,
    event: {
      kind: 'caption',
      captionId,
      speaker,
      text,
      ...(isVersioned && { version: i + 1 }),
      ...(isVersioned && i === texts.length - 1 && { isFinal: true }),
    },
  }))
}
