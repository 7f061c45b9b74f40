import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNameCorrector } from '../../src/language/known-names/correct-names.ts'
import { MOST_PEOPLE, MOST_TERMS } from '../../src/language/known-names/name-candidates.ts'
import { loadWordRanker } from '../../src/language/known-names/ordinary-words.ts'
import { foldText } from '../../src/language/words.ts'
import { countWordErrors, toComparableWords } from '../../test/support/speech/word-errors.ts'
import { COMMON_NAMES } from '../support/speech/common-names.ts'
import { listSpeakers } from '../support/speech/name-speakers.ts'
import {
  fillSentences,
  HELD_OUT_MEETINGS,
  TUNING_MEETINGS,
  type NamedMeeting,
} from '../support/speech/spoken-names.ts'
import { RUNTIMES, openRecognition, percent } from './speech-alone.ts'

/** A pause after each sentence, so that each is one utterance. */
const PAUSE_SAMPLES = 16_000
/** As many words as people say in twelve seconds. */
const WORDS_PER_CAPTION = 60
/** Each part of QMSum has at least as many. */
const MEETINGS_PER_PART = 35

type Counts = { names: number; before: number; after: number; right: number; wrong: number } & {
  words: number
  errorsBefore: number
  errorsAfter: number
}

/** Names in recognized speech, before and after their correction: names that were right, and wrong corrections. */
export async function measureSpokenNames(): Promise<void> {
  const [runtime] = RUNTIMES
  const { install, open } = openRecognition(runtime!)
  await install()
  using recognition = open()
  const rankWord = await loadWordRanker()
  const hear = async (samples: Int16Array) => {
    const heard: string[] = []
    await using session = recognition.openSession({
      language: 'en',
      onUtterance: ({ text }) => void heard.push(text),
      onLoss: ({ reason }) => console.log(`    LOST: ${reason}`),
    })
    session.addSound({ voice: 'one', startsAt: 0, samples })
    session.endVoice('one')
    await session.finish()
    return heard.join(' ')
  }
  const parts = { 'held out': HELD_OUT_MEETINGS, tuned: TUNING_MEETINGS }
  for (const [part, meetings] of Object.entries(parts)) {
    const all = createCounts()
    for (const speaker of listSpeakers(part === 'tuned')) {
      const counts = createCounts()
      for (const meeting of meetings) {
        const corrector = createNameCorrector(toKnownNames(meeting), rankWord)
        for (const sentence of fillSentences(meeting)) {
          const samples = padWithPause(speaker.speak(sentence))
          count(counts, meeting, sentence.text, await hear(samples), corrector)
        }
      }
      report(`${part}, ${speaker.name}`, counts)
      for (const key of Object.keys(all) as Array<keyof Counts>) all[key] += counts[key]
    }
    report(`${part}, all voices`, all)
  }
}

/**
 * Corrections in transcripts of real meetings, in which the names of people who do not exist were not said. The
 * rules were chosen with the first two parts.
 */
export async function measureFalseCorrections(folder: string): Promise<void> {
  const rankWord = await loadWordRanker()
  for (const [part, meetings] of [
    ['val', TUNING_MEETINGS],
    ['test', HELD_OUT_MEETINGS],
    ['train', HELD_OUT_MEETINGS],
  ] as const) {
    const known = meetings.map(toKnownNames)
    const people = [...COMMON_NAMES, ...known.flatMap((names) => names.people)]
    const corrector = createNameCorrector(
      { people, terms: known.flatMap(({ terms }) => terms) },
      rankWord,
    )
    let words = 0
    const changes = new Map<string, number>()
    for (const caption of readCaptions(join(folder, 'data/ALL', part))) {
      words += caption.split(' ').length
      for (const { heard, name } of corrector.correct(caption).corrections) {
        const change = `${heard} → ${name}`
        changes.set(change, (changes.get(change) ?? 0) + 1)
      }
    }
    const wrong = changes.values().reduce((sum, times) => sum + times, 0)
    const most = [...changes].toSorted(([, one], [, other]) => other - one).slice(0, 5)
    console.log(
      `  QMSum ${part}: ${people.length} people, ${words} words, ${wrong} corrections, ${((10_000 * wrong) / words).toFixed(1)} of 10,000 words; most often ${most.map(([change, times]) => `${change} (${times})`).join(', ')}`,
    )
  }
}

/** The time for one caption with as many names as are allowed. */
export async function measureCorrectionCost(): Promise<void> {
  const rankWord = await loadWordRanker()
  const names = Array.from({ length: 2 * MOST_PEOPLE + MOST_TERMS }, (_, i) => inventName(i))
  const people = Array.from(
    { length: MOST_PEOPLE },
    (_, i) => `${names[2 * i]} ${names[2 * i + 1]}`,
  )
  const corrector = createNameCorrector({ people, terms: names.slice(2 * MOST_PEOPLE) }, rankWord)
  const ordinary = TUNING_MEETINGS[0]!.sentences.join(' ').split(' ').slice(0, WORDS_PER_CAPTION)
  const texts = { ordinary: ordinary.join(' '), invented: names.slice(0, 120).join(' ') }
  for (const [kind, text] of Object.entries(texts)) {
    const before = process.cpuUsage()
    for (let i = 0; i < 20; i += 1) corrector.correct(text)
    const { user, system } = process.cpuUsage(before)
    console.log(
      `  ${MOST_PEOPLE} people and ${MOST_TERMS} terms: ${((user + system) / 20_000).toFixed(1)} ms of processor time for ${text.split(' ').length} ${kind} words`,
    )
  }
}

function createCounts(): Counts {
  return {
    names: 0,
    before: 0,
    after: 0,
    right: 0,
    wrong: 0,
    words: 0,
    errorsBefore: 0,
    errorsAfter: 0,
  }
}

function toKnownNames({ people, terms }: NamedMeeting) {
  return { people: people.map(({ given, family }) => `${given} ${family}`), terms }
}

function count(
  counts: Counts,
  { people, terms }: NamedMeeting,
  said: string,
  heard: string,
  corrector: ReturnType<typeof createNameCorrector>,
): void {
  const { text, corrections } = corrector.correct(heard)
  const names = [...people.flatMap(({ given, family }) => [given, family]), ...terms]
  for (const name of names.filter((name) => hasName(said, name))) {
    counts.names += 1
    if (hasName(heard, name)) counts.before += 1
    if (hasName(text, name)) counts.after += 1
  }
  for (const { name } of corrections) {
    if (hasName(said, name)) counts.right += 1
    else counts.wrong += 1
  }
  const words = toComparableWords(foldText(said))
  counts.words += words.length
  counts.errorsBefore += countWordErrors(words, toComparableWords(foldText(heard)))
  counts.errorsAfter += countWordErrors(words, toComparableWords(foldText(text)))
}

/** Accents and case are not counted, so a name that only lacks its accents is right before its correction. */
function hasName(text: string, name: string): boolean {
  const toPlain = (raw: string) =>
    ` ${foldText(raw)
      .replaceAll(/[^a-z]+/g, ' ')
      .trim()} `
  return toPlain(text).includes(toPlain(name))
}

function report(what: string, counts: Counts): void {
  const { names, before, after, right, wrong, words, errorsBefore, errorsAfter } = counts
  console.log(
    `  ${what}: names right ${percent(before, names)} → ${percent(after, names)} of ${names}; ${right} right and ${wrong} wrong corrections; words wrong ${percent(errorsBefore, words)} → ${percent(errorsAfter, words)}`,
  )
}

function padWithPause(samples: Int16Array): Int16Array {
  const padded = new Int16Array(samples.length + PAUSE_SAMPLES)
  padded.set(samples, PAUSE_SAMPLES / 4)
  return padded
}

function* readCaptions(folder: string): Generator<string> {
  for (const file of readdirSync(folder).toSorted().slice(0, MEETINGS_PER_PART)) {
    const { meeting_transcripts: turns } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      meeting_transcripts: Array<{ content: string }>
    }
    for (const { content } of turns) {
      const words = content
        .replaceAll(/\{[a-z]+\}/g, ' ')
        .replaceAll(/ ([,.?!])/g, '$1')
        .trim()
        .split(/\s+/)
      for (let at = 0; at < words.length; at += WORDS_PER_CAPTION)
        yield words.slice(at, at + WORDS_PER_CAPTION).join(' ')
    }
  }
}

const SYLLABLES =
  'ra ghu na than pri ya kow al czyk sin dra bel mon tes lin qvist har per ov sky'.split(' ')

/** Different numbers give different names of two to four syllables. */
function inventName(number: number): string {
  let rest = number + SYLLABLES.length
  let name = ''
  for (; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    name += SYLLABLES[rest % SYLLABLES.length]
  return name.charAt(0).toUpperCase() + name.slice(1)
}
