import type { Caption } from '../../../src/bots/platforms/platform.ts'
import { extractWordKeys } from '../../../src/lib/text/words.ts'

/** A turn of one speaker: sentences, each of which is a list of words. */
export type SpeechTurn = { speaker: string; sentences: string[][] }
export type TimedCaption = { at: number; caption: Caption }

export const SPEAKERS = ['Ann Lee', 'Bob', 'Chloé Dubois', 'Dmitri']
const SYLLABLES = 'ka lo mi ren sta vou per tin dos bra quil zen hau fim gro'.split(' ')
const COMMON = 'yes no the so and it is we you that okay right well to of in'.split(' ')

export function createSeededRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T
  return { between, pick, chance: (chance: number) => next() < chance }
}
export type SeededRandom = ReturnType<typeof createSeededRandom>

function makeWord(random: SeededRandom): string {
  if (random.chance(0.4)) return random.pick(COMMON)
  return Array.from({ length: random.between(1, 4) }, () => random.pick(SYLLABLES)).join('')
}

export function makeSentences(random: SeededRandom, most: number): string[][] {
  return Array.from({ length: random.between(1, most) }, () =>
    Array.from({ length: random.between(1, 14) }, () => makeWord(random)),
  )
}

export function makeScript(random: SeededRandom, most: number): SpeechTurn[] {
  let last = ''
  return Array.from({ length: random.between(1, 5) }, () => {
    last = random.pick(SPEAKERS.filter((name) => name !== last))
    return { speaker: last, sentences: makeSentences(random, most) }
  })
}

function capitalise(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

function toSentenceCase(sentences: string[][]): string[] {
  return sentences.flatMap((words) =>
    words.map((word, i) => {
      const cased = i === 0 ? capitalise(word) : word
      return i === words.length - 1 ? `${cased}.` : cased
    }),
  )
}

/** A row of Google Meet. It grows, is corrected up to 104 characters back, and may restart, disappear or have twins. */
function createMeetRow(
  random: SeededRandom,
  turn: SpeechTurn,
  id: string,
  startAt: number,
): TimedCaption[] {
  const words = toSentenceCase(turn.sentences)
  const misheard = words.map(() => (random.chance(0.2) ? makeWord(random) : null))
  const correctedBehind = words.map(() => random.between(0, 95))
  const events: TimedCaption[] = []
  let [at, rowId, from, shown] = [startAt, id, 0, 0]

  const textOf = (isSettled: boolean): string => {
    let behind = 0
    const texts: string[] = []
    for (let i = shown - 1; i >= from; i -= 1) {
      const right = words[i] ?? ''
      const wrong = isSettled || behind > (correctedBehind[i] ?? 0) ? null : misheard[i]
      const text = wrong ?? (isSettled || behind > 0 ? right : `${right.replace('.', '')}.`)
      behind += Math.max(text.length, right.length) + 1
      texts.unshift(text)
    }
    return texts.join(' ')
  }
  const show = (text: string, captionId = rowId): void => {
    events.push({ at, caption: { captionId, speaker: turn.speaker, text } })
  }
  const vanish = (): void => {
    events.push({
      at,
      caption: { captionId: rowId, speaker: turn.speaker, text: '', isGone: true },
    })
    at += random.between(50, 900)
    if (shown - from >= 4 && random.chance(0.5)) rowId = `${rowId}+`
  }
  if (random.chance(0.4)) {
    const seed = (words[0] ?? '').replace('.', '')
    show(`${seed.slice(0, random.between(1, seed.length))}.`, `${id}-seed`)
    misheard[0] = null
    at += random.between(0, 500)
  }
  while (shown < words.length) {
    shown = Math.min(words.length, shown + random.between(1, 3))
    show(textOf(false))
    if (shown - from >= 4 && random.chance(0.02)) show(textOf(false), `${rowId}-twin${shown}`)
    if (random.chance(0.02)) {
      vanish()
      show(textOf(false))
    }
    if (random.chance(0.03)) {
      at += random.between(100, 800)
      show(textOf(true))
      misheard.fill(null, 0, shown)
      at += random.between(900, 9_000)
      if (textOf(true).length > 420 && random.chance(0.7)) {
        from = random.chance(0.5) ? shown : Math.max(from, shown - random.between(5, 12))
      }
    }
    at += random.between(100, 880)
  }
  show(textOf(true))
  return events
}

export function createMeetStream(
  random: SeededRandom,
  script: SpeechTurn[],
  isOverlapping: boolean,
): TimedCaption[] {
  let at = 1_000
  const events = script.flatMap((turn, i) => {
    const row = createMeetRow(random, turn, `row-${i}`, at)
    const lastAt = row.at(-1)?.at ?? at
    at = isOverlapping ? at + random.between(1_100, 6_000) : lastAt + random.between(1, 2_000)
    return row
  })
  // The last correction of a row may arrive after the next row has started.
  return events.toSorted((a, b) => a.at - b.at)
}

/** Rows of Microsoft Teams: one per utterance, in lower case until it is final. Earlier rows may scroll into view. */
export function createTeamsStream(random: SeededRandom, script: SpeechTurn[]): TimedCaption[] {
  const events: TimedCaption[] = []
  const done: Caption[] = []
  let [at, count] = [5_000, 0]
  for (const { speaker, sentences } of script) {
    for (const sentence of sentences) {
      const captionId = `row-${(count += 1)}`
      for (let shown = 1; shown <= sentence.length; shown += random.between(1, 4)) {
        events.push({
          at,
          caption: { captionId, speaker, text: sentence.slice(0, shown).join(' ') },
        })
        at += random.between(250, 700)
      }
      const caption = { captionId, speaker, text: toSentenceCase([sentence]).join(' ') }
      events.push({ at, caption })
      at += random.between(1_001, 5_000)
      if (extractWordKeys(caption.text).length >= 4) done.push(caption)
      if (done.length === 0 || !random.chance(0.2)) continue
      const [old = caption] = done.splice(random.between(0, done.length - 1), 1)
      events.push({ at, caption: { ...old, isGone: true } })
      const isRenamed = random.chance(0.5)
      const back = isRenamed ? { ...old, captionId: `${old.captionId}-again${at}` } : old
      events.push({ at: at + random.between(1, 20_000), caption: back })
    }
  }
  return events.toSorted((a, b) => a.at - b.at)
}

/** Wire messages. Versions arrive late, twice and on two channels, and the final mark may be missing. */
export function createWireStream(random: SeededRandom, script: SpeechTurn[]): TimedCaption[] {
  const events: TimedCaption[] = []
  let [at, count] = [1_000, 0]
  for (const { speaker, sentences } of script) {
    for (const sentence of sentences) {
      count += 1
      const channels = random.chance(0.5) ? [`v1/${count}`] : [`v1/${count}`, `v2/${count + 900}`]
      const deliver = (version: number, text: string, isFinal: boolean): void => {
        for (const captionId of channels) {
          const [channel = ''] = captionId.split('/')
          const caption: Caption = { captionId, channel, speaker, text, version }
          if (isFinal) caption.isFinal = true
          const arriveAt = at + random.between(0, 340)
          events.push({ at: arriveAt, caption })
          if (random.chance(0.2)) events.push({ at: arriveAt + random.between(1, 300), caption })
        }
      }
      let version = 0
      for (let shown = 1; shown <= sentence.length; shown += random.between(1, 4)) {
        const wrong = sentence.slice(0, shown).map((word) => (random.chance(0.2) ? 'hm' : word))
        deliver((version += 1), wrong.join(' '), false)
        at += random.between(150, 500)
      }
      deliver((version += 1), toSentenceCase([sentence]).join(' '), !random.chance(0.2))
      at += random.between(1_000, 4_000)
    }
  }
  return events.toSorted((a, b) => a.at - b.at)
}
