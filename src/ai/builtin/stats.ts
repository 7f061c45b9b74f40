import { isQuestion, splitSentences } from '../../coach/text/sentences.ts'
import { countWords } from '../../coach/text/count-words.ts'
import type { MeetingText } from './meeting-text.ts'
import { meetingHeading, escapeMarkdown } from './markdown.ts'

type SpeakerStats = { turns: number; words: number; questions: number; longest: number }

/** Who spoke how much, asked how often and longest at a time. */
export function statsReport(meetings: readonly MeetingText[]): string {
  return meetings.map(statsOf).join('\n\n')
}

function statsOf(meeting: MeetingText): string {
  const shares = new Map<string, SpeakerStats>()
  for (const { speaker, text } of meeting.turns) {
    const words = countWords(text)
    const share = shares.get(speaker) ?? { turns: 0, words: 0, questions: 0, longest: 0 }
    shares.set(speaker, {
      turns: share.turns + 1,
      words: share.words + words,
      questions: share.questions + splitSentences(text).filter(isQuestion).length,
      longest: Math.max(share.longest, words),
    })
  }
  const total = Math.max(
    1,
    [...shares.values()].reduce((sum, { words }) => sum + words, 0),
  )
  const rows = [...shares]
    .toSorted(([, a], [, b]) => b.words - a.words)
    .map(([speaker, { turns, words, questions, longest }]) => {
      const share = `${Math.round((100 * words) / total)} %`
      return `| ${[escapeMarkdown(speaker), words, share, turns, questions, longest].join(' | ')} |`
    })
  const table = [
    '| Speaker | Words | Share | Turns | Questions | Longest turn, words |',
    '|---|---|---|---|---|---|',
    ...rows,
  ]
  return [meetingHeading(meeting), table.join('\n')].join('\n\n')
}
