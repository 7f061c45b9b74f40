import { countWords } from '../../../coach/text/count-words.ts'
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
const MIN_WORDS = 6
const MAX_WORDS = 60
const MIN_CONTENT_WORDS = 3
const MIN_SENTENCES = 3
const MAX_SENTENCES = 6
/** One more sentence for each of so many candidates. */
const CANDIDATES_PER_SENTENCE = 12
/** A sentence that states a decision or a task says more about the result of a meeting than others. */
const RESULT_WEIGHT = 1.5

/** The most important sentences, in the order in which they were spoken. */
export function summarize(
  meeting: PreparedMeeting,
  isResult: (segmentIndex: number) => boolean,
): SpokenSentence[] {
  const candidates = limitCandidates(listCandidates(meeting), meeting.segments.length)
  const vectors = buildSentenceVectors(candidates.map(({ stems }) => stems))
  const ranks = rankSentences(vectors).map((rank, index) => {
    const segmentIndex = candidates[index]?.sentence.segmentIndex ?? -1
    return isResult(segmentIndex) ? rank * RESULT_WEIGHT : rank
  })
  const wanted = Math.round(candidates.length / CANDIDATES_PER_SENTENCE) + MIN_SENTENCES - 1
  const count = Math.min(MAX_SENTENCES, Math.max(MIN_SENTENCES, wanted))
  return pickDiverse(vectors, ranks, count)
    .toSorted((a, b) => a - b)
    .map((index) => candidates[index]?.sentence)
    .filter((sentence) => sentence !== undefined)
}

/** Statements of some length. Questions, greetings, thanks and equal sentences are left out. */
function listCandidates({ segments, language, rules, people }: PreparedMeeting): Candidate[] {
  const stopWords = stopWordsOf(language)
  const seen = new Set<string>()
  return segments.flatMap(({ sentences }) =>
    sentences.flatMap((sentence) => {
      if (sentence.isQuestion || rules?.smallTalk.test(sentence.folded) === true) return []
      const words = countWords(sentence.text)
      if (words < MIN_WORDS || words > MAX_WORDS || seen.has(sentence.folded)) return []
      seen.add(sentence.folded)
      const stems = listContentWords(sentence.text, stopWords, people.isNameWord).map(
        ({ stem }) => stem,
      )
      return new Set(stems).size < MIN_CONTENT_WORDS ? [] : [{ sentence, stems }]
    }),
  )
}

/** Keeps the sentences with the most content words of each part of the meeting. */
function limitCandidates(candidates: readonly Candidate[], segmentCount: number): readonly Candidate[] {
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
