import { once } from 'node:events'
import type { Participant, PlatformEvent } from '../platform.ts'
import type {
  RepeatStep,
  SayStep,
  MeetingScript,
  ScriptStep,
  PlaceholderWords,
} from './script-reading/script-schema.ts'

/** An event and its time in the script. The participants do not include the bot. */
export type TimelineEntry = { atMs: number; event: PlatformEvent }

/** During speech, real captions change about three times a second. */
const CAPTION_CHANGE_MS = 330

/**
 * Groups of event kinds. A bot that joins later gets only the latest event of each group, and no earlier captions. If
 * captions are on, it gets an event that says so.
 */
const LASTING_EVENTS: ReadonlyArray<ReadonlyArray<PlatformEvent['kind']>> = [
  ['lobby', 'admitted'],
  ['people'],
  ['captions lost', 'captions back'],
]

/** Resolves after the time, or immediately if the signal aborts. */
export type AbortableSleep = (ms: number, signal: AbortSignal) => Promise<void>

type PlaybackOptions = {
  timeline: readonly TimelineEntry[]
  /** The script time at which playing starts. */
  fromMs: number
  speed: number
  /** The bot as a participant. */
  self: Participant
  sleep: AbortableSleep
}

/** Shorter waits are added up, because timers are too coarse for them and a fast script would fall behind. */
const SHORTEST_WAIT_MS = 10

/** All events of a script in order. The result is always the same for the same script. */
export function buildTimeline(script: MeetingScript): TimelineEntry[] {
  const show = createStepPlayer(script.people)
  return expandRepeatSteps(script)
    .toSorted((a, b) => a.at - b.at)
    .flatMap((step) => show(step, Math.round(step.at * 1_000)))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** The transcript, in the order of the first words: each caption once, with its last text. */
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

/** Replaces `{n}` with the number of the repetition and `{name}` with the next word of the list `name`. */
function fillTextPlaceholders(
  text: string,
  repetitionNumber: number,
  wordLists: PlaceholderWords,
): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    if (name === 'n') return String(repetitionNumber)
    const list = Object.hasOwn(wordLists, name) ? wordLists[name] : undefined
    return list?.[(repetitionNumber - 1) % list.length] ?? placeholder
  })
}

/** Fills every text of a step, including the ids of participants and captions. */
function fillStepPlaceholders(step: ScriptStep, n: number, words: PlaceholderWords): ScriptStep {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillTextPlaceholders(value, n, words)
    return Array.isArray(value) ? value.map(fill) : value
  }
  return Object.fromEntries(
    Object.entries(step).map(([key, value]) => [key, fill(value)]),
  ) as unknown as ScriptStep
}

/**
 * The successive texts of a caption. The first draft grows word by word. Each further draft replaces the shown text and
 * continues word by word. The last text is the complete last draft.
 */
export function listGrowingCaptionTexts(drafts: readonly string[]): string[] {
  const texts: string[] = []
  let shown = 0
  for (const draft of drafts) {
    const ends = [...draft.matchAll(/\S+/g)].map((word) => word.index + word[0].length)
    // The words that a draft corrects appear together with its next new word, if there is one.
    const first = Math.min(shown + 1, ends.length)
    for (const end of ends.slice(first - 1)) texts.push(draft.slice(0, end))
    shown = ends.length
  }
  return texts
}

/** The timeline for a bot that joins later: the current situation, followed by the remaining events. */
export function buildLateJoinTimeline(
  timeline: readonly TimelineEntry[],
  fromMs: number,
): readonly TimelineEntry[] {
  if (fromMs <= 0) return timeline
  const past = timeline.filter(({ atMs }) => atMs < fromMs)
  const over = past.find(({ event }) => event.kind === 'over')
  if (over) return [{ ...over, atMs: fromMs }]
  const standing = LASTING_EVENTS.flatMap((kinds) => {
    const last = past.findLast(({ event }) => kinds.includes(event.kind))
    return last ? [{ ...last, atMs: fromMs }] : []
  })
  const isInCall = standing.some(({ event }) => event.kind === 'admitted')
  const areCaptionsKnown = standing.some(({ event }) => event.kind.startsWith('captions'))
  const captionsOn: TimelineEntry[] =
    isInCall && !areCaptionsKnown ? [{ atMs: fromMs, event: { kind: 'captions back' } }] : []
  return [...standing, ...captionsOn, ...timeline.slice(past.length)]
}

/** Yields each event at its time. A script without an end runs until `signal` aborts. */
export async function* playTimeline(
  { timeline, fromMs, speed, self, sleep }: PlaybackOptions,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  let [reachedMs, owedMs] = [fromMs, 0]
  for (const { atMs, event } of timeline) {
    owedMs += (atMs - reachedMs) / speed
    reachedMs = atMs
    if (owedMs >= SHORTEST_WAIT_MS && !signal.aborted) {
      const waitMs = Math.floor(owedMs)
      await sleep(waitMs, signal)
      owedMs -= waitMs
    }
    if (signal.aborted) return
    yield event.kind === 'people' ? { ...event, people: [...event.people, self] } : event
    if (event.kind === 'over') return
  }
  if (!signal.aborted) await once(signal, 'abort')
}
