import { countWords } from '../../../coach/text/count-words.ts'
import { countFillers } from '../../../coach/text/filler-words.ts'
import { stopWordsOf } from '../languages/stop-words.ts'
import { listContentWords } from '../text/content-words.ts'
import type { PreparedMeeting, SpokenSentence } from '../text/prepared-meeting.ts'
import { pickDiverse, rankSentences } from './lex-rank.ts'
import { buildSentenceVectors } from './sentence-vectors.ts'

type Candidate = { sentence: SpokenSentence; stems: string[] }

/** Every pair of candidates is compared, so their number is limited. */
const MAX_CANDIDATES = 300
/** Each part of a long meeting gives as many candidates, so that no part of it is left out. */
const PARTS = 20
/** Shorter sentences weigh less, because they say little outside of their context. */
const FULL_WEIGHT_WORDS = 12
/** Shorter sentences are used only when a meeting has too few longer ones. */
const MIN_WORDS = { usual: 8, short: 5 }
const MIN_CONTENT_WORDS = { usual: 4, short: 2 }
const MAX_WORDS = 45
const MIN_SENTENCES = 3
const MAX_SENTENCES = 6
/** One more sentence for each of so many segments. */
const SEGMENTS_PER_SENTENCE = 25
/** A choice needs several times as many candidates as sentences. */
const CANDIDATES_PER_SENTENCE = 3
/** A sentence that states a decision or a task says more about the result of a meeting than others. */
const RESULT_WEIGHT = 1.5

/** The most important sentences, in the order in which they were spoken. */
export function summarize(
  meeting: PreparedMeeting,
  isResult: (segmentIndex: number) => boolean,
): SpokenSentence[] {
  const wanted = MIN_SENTENCES + Math.floor(meeting.segments.length / SEGMENTS_PER_SENTENCE)
  const count = Math.min(MAX_SENTENCES, wanted)
  const usual = listCandidates(meeting, 'usual')
  const isEnough = usual.length >= CANDIDATES_PER_SENTENCE * count
  const all = isEnough ? usual : listCandidates(meeting, 'short')
  const candidates = limitCandidates(all, meeting.segments.length)
  const vectors = buildSentenceVectors(candidates.map(({ stems }) => stems))
  const ranks = rankSentences(vectors).map((rank, index) => {
    const { segmentIndex, text } = candidates[index]?.sentence ?? { segmentIndex: -1, text: '' }
    const lengthWeight = Math.min(1, countWords(text) / FULL_WEIGHT_WORDS)
    const fluency = 1 / (1 + countFillers(text))
    return rank * lengthWeight * fluency * (isResult(segmentIndex) ? RESULT_WEIGHT : 1)
  })
  return pickDiverse(vectors, ranks, count)
    .toSorted((a, b) => a - b)
    .map((index) => candidates[index]?.sentence)
    .filter((sentence) => sentence !== undefined)
}

/** Statements of some length. Questions, greetings, announcements of a topic and equal sentences are left out. */
function listCandidates(
  { segments, language, rules, people }: PreparedMeeting,
  length: 'usual' | 'short',
): Candidate[] {
  const stopWords = stopWordsOf(language)
  const seen = new Set<string>()
  const isAboutTheCall = (folded: string) =>
    rules !== null && (rules.smallTalk.test(folded) || rules.topicChange.test(folded))
  return segments.flatMap(({ sentences }) =>
    sentences.flatMap((sentence) => {
      if (sentence.isQuestion || isAboutTheCall(sentence.folded)) return []
      const words = countWords(sentence.text)
      if (words < MIN_WORDS[length] || words > MAX_WORDS || seen.has(sentence.folded)) return []
      seen.add(sentence.folded)
      const stems = listContentWords(sentence.text, stopWords, people.isNameWord).map(
        ({ stem }) => stem,
      )
      return new Set(stems).size < MIN_CONTENT_WORDS[length] ? [] : [{ sentence, stems }]
    }),
  )
}

/** Keeps the sentences with the most content words of each part of the meeting. */
function limitCandidates(
  candidates: readonly Candidate[],
  segmentCount: number,
): readonly Candidate[] {
  if (candidates.length <= MAX_CANDIDATES) return candidates
  const parts = Map.groupBy(candidates, ({ sentence }) =>
    Math.floor((PARTS * sentence.segmentIndex) / segmentCount),
  )
  const kept = new Set(
    [...parts.values()].flatMap((part) =>
      part.toSorted((a, b) => b.stems.length - a.stems.length).slice(0, MAX_CANDIDATES / PARTS),
    ),
  )
  return candidates.filter((candidate) => kept.has(candidate))
}
