import { shortenToOneLine } from '../../../coach/text/display-text.ts'
import type { RecapTopic } from '../../recap.ts'
import { stopWordsOf } from '../languages/stop-words.ts'
import { listContentWords, type ContentWord } from '../text/content-words.ts'
import type { PreparedMeeting } from '../text/prepared-meeting.ts'
import { findTopicStarts } from './topic-boundaries.ts'

const TITLE_WORDS = 3
const MAX_TITLE_CHARS = 80

/** Divides the meeting by lexical cohesion, and names each part by its most characteristic words. */
export function findTopics({ segments, language, rules, people }: PreparedMeeting): RecapTopic[] {
  const stopWords = stopWordsOf(language)
  const words = segments.map(({ text }) => listContentWords(text, stopWords, people.isNameWord))
  if (words.every((list) => list.length === 0)) return []
  const starts = findTopicStarts(
    words.map((list) => list.map(({ stem }) => stem)),
    (index) =>
      segments[index]?.sentences.some(({ folded }) => rules?.topicChange.test(folded)) === true,
  )
  const parts = starts.map((start, i) => ({ start, end: starts[i + 1] ?? segments.length }))
  const titles = nameParts(
    parts.map(({ start, end }) => {
      const all = words.slice(start, end).flat()
      // In German, nouns make better titles and begin with a capital letter.
      const nouns = language === 'de' ? all.filter(({ text }) => /^\p{Lu}/u.test(text)) : []
      return nouns.length > 0 ? nouns : all
    }),
  )
  return parts.flatMap(({ start, end }, i) => {
    const [first, last] = [segments[start], segments[end - 1]]
    if (first === undefined || last === undefined) return []
    return [
      {
        title: titles[i] ?? '',
        startMs: first.startMs,
        endMs: last.endMs,
        firstSegmentNumber: first.number,
        lastSegmentNumber: last.number,
      },
    ]
  })
}

type WordCount = { count: number; forms: Map<string, number>; first: number }

function nameParts(parts: ReadonlyArray<readonly ContentWord[]>): string[] {
  const counted = parts.map(countWordForms)
  const partsWith = new Map<string, number>()
  for (const counts of counted) {
    for (const stem of counts.keys()) partsWith.set(stem, (partsWith.get(stem) ?? 0) + 1)
  }
  return counted.map((counts) => {
    const best = [...counts]
      .map(([stem, word]) => ({
        ...word,
        score: word.count * Math.log(1 + parts.length / (partsWith.get(stem) ?? 1)),
      }))
      .toSorted((a, b) => b.score - a.score || a.first - b.first)
      .slice(0, TITLE_WORDS)
      .filter(({ count }, rank) => rank === 0 || count > 1)
    const title = best.map(({ forms }) => mostFrequent(forms)).join(', ')
    const shown = shortenToOneLine(title, MAX_TITLE_CHARS)
    return shown.charAt(0).toUpperCase() + shown.slice(1)
  })
}

function countWordForms(words: readonly ContentWord[]): Map<string, WordCount> {
  const counts = new Map<string, WordCount>()
  for (const [position, { stem, text }] of words.entries()) {
    const word = counts.get(stem) ?? { count: 0, forms: new Map<string, number>(), first: position }
    word.count += 1
    word.forms.set(text, (word.forms.get(text) ?? 0) + 1)
    counts.set(stem, word)
  }
  return counts
}

function mostFrequent(forms: ReadonlyMap<string, number>): string {
  const [best] = [...forms].toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? ''
}
