import { findActionItem } from '../coach/rules/action-item.ts'
import { splitEnglishSentences, findDeadlineWords } from '../coach/rules/english-patterns.ts'
import { isQuestion, splitSentences, countWords } from '../coach/text/words-and-sentences.ts'

export const BUILTIN_MODEL_NAME = 'builtin/rules-1'

/** A meeting's transcript, as input of the built-in reports. */
export type MeetingTranscriptForReport = {
  title: string
  date: string
  path: string
  turns: ReadonlyArray<{ speaker: string; time: string; text: string }>
}

type SpeakerStats = { turns: number; words: number; questions: number; longest: number }

const SENTENCES_PER_MEETING = 5

/** A spoken sentence and its words, without stop words such as “the”. */
type SentenceCandidate = { text: string; words: ReadonlySet<string> }

const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does
  done for from get go going good got had has have he her here him his how i if in into is it its just know let like
  made make me might mm more most much my need no not now of off oh ok okay on one only or other our out over own
  please put really right said same say see she should so some something such take than thank thanks that the their
  them then there these they thing things think this those through to too uh um up us very want was way we well were
  what when where which while who why will with would yeah yes yet you your`.split(/\s+/),
)
/** Every pair of sentences is compared, so only this many of the longest sentences are used. */
const MAX_CANDIDATES = 300
const MIN_WORDS = 4
const ITERATIONS = 20
const DAMPING = 0.85
/** Weight of the similarity to sentences that are already picked, relative to the sentence's own score. */
const REDUNDANCY_PENALTY = 0.6

/** The reports that rules create from transcripts, without a language model. */
export const BUILTIN_REPORT_RENDERERS = {
  digest: renderDigestReport,
  'action-items': renderActionItemsReport,
  stats: renderSpeakerStatsReport,
} as const satisfies Record<string, (meetings: readonly MeetingTranscriptForReport[]) => string>

export type BuiltinReportName = keyof typeof BUILTIN_REPORT_RENDERERS

const NOTE =
  '_Made by built-in rules. No language model was used: set HANSARD_AI_MODEL to use one._'

export function renderBuiltinReport(
  name: BuiltinReportName,
  meetings: readonly MeetingTranscriptForReport[],
): string {
  const body =
    meetings.length === 0
      ? 'There are no transcripts to read.'
      : BUILTIN_REPORT_RENDERERS[name](meetings)
  return `${NOTE}\n\n${body}\n`
}

/** Escapes Markdown characters and joins lines, so that spoken text cannot change the layout of a report. */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\\`*_[\]<>|#~]/g, '\\$&')
    .trim()
}

export function formatMeetingHeading({ title, date }: MeetingTranscriptForReport): string {
  return `## ${escapeMarkdown(title)}\n\n${date.slice(0, 10)}`
}

/** A table per meeting with each speaker's words, share, turns, questions and longest turn. */
function renderSpeakerStatsReport(meetings: readonly MeetingTranscriptForReport[]): string {
  return meetings.map(meetingStats).join('\n\n')
}

function meetingStats(meeting: MeetingTranscriptForReport): string {
  const statsBySpeaker = new Map<string, SpeakerStats>()
  for (const { speaker, text } of meeting.turns) {
    const words = countWords(text)
    const stats = statsBySpeaker.get(speaker) ?? { turns: 0, words: 0, questions: 0, longest: 0 }
    statsBySpeaker.set(speaker, {
      turns: stats.turns + 1,
      words: stats.words + words,
      questions: stats.questions + splitSentences(text).filter(isQuestion).length,
      longest: Math.max(stats.longest, words),
    })
  }
  const total = Math.max(
    1,
    [...statsBySpeaker.values()].reduce((sum, { words }) => sum + words, 0),
  )
  const rows = [...statsBySpeaker]
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
  return [formatMeetingHeading(meeting), table.join('\n')].join('\n\n')
}

/** Lists who took on or requested which work, and by when. The patterns only recognize English. */
function renderActionItemsReport(meetings: readonly MeetingTranscriptForReport[]): string {
  return meetings.map(meetingActionItems).join('\n\n')
}

function meetingActionItems(meeting: MeetingTranscriptForReport): string {
  const lines = meeting.turns.flatMap(({ speaker, text, time }) =>
    splitEnglishSentences(text).flatMap((sentence) => {
      const item = findActionItem(sentence)
      if (item === null) return []
      const due = findDeadlineWords(sentence)
      const until = due === null ? '' : `, due: ${escapeMarkdown(due)}`
      return [
        `- [ ] **${escapeMarkdown(speaker)}** ${item.reportingVerb}: ${escapeMarkdown(sentence)} (${time}${until})`,
      ]
    }),
  )
  return [formatMeetingHeading(meeting), lines.join('\n') || 'No action items found.'].join('\n\n')
}

/** Lists the most important sentences of each meeting with their speakers. */
function renderDigestReport(meetings: readonly MeetingTranscriptForReport[]): string {
  return meetings.map(meetingDigest).join('\n\n')
}

function meetingDigest(meeting: MeetingTranscriptForReport): string {
  const speakers = new Map<string, string>()
  const sentences = meeting.turns.flatMap(({ speaker, text }) =>
    splitSentences(text).map((sentence) => {
      speakers.set(sentence, speaker)
      return sentence
    }),
  )
  const picked = pickSentences(sentences, SENTENCES_PER_MEETING)
  const lines = picked.map(
    (sentence) =>
      `- **${escapeMarkdown(speakers.get(sentence) ?? '')}:** ${escapeMarkdown(sentence)}`,
  )
  return [
    formatMeetingHeading(meeting),
    lines.join('\n') || 'Too little was said for a digest.',
  ].join('\n\n')
}

function toSentenceCandidate(text: string): SentenceCandidate {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]+/gu) ?? []
  return { text, words: new Set(words.filter((word) => !STOP_WORDS.has(word))) }
}

/**
 * Picks the most important sentences, in the order in which they were spoken. TextRank scores a sentence by the
 * sentences that share words with it. Maximal marginal relevance avoids picking two that say the same thing.
 */
export function pickSentences(sentences: readonly string[], count: number): string[] {
  const all = sentences.map(toSentenceCandidate)
  const candidates = all
    .filter(({ words }) => words.size >= MIN_WORDS)
    .toSorted((a, b) => b.words.size - a.words.size)
    .slice(0, MAX_CANDIDATES)
  const links = candidates.map((a) => candidates.map((b) => (a === b ? 0 : similarity(a, b))))
  const scores = rankByLinks(links)
  const picked: number[] = []
  while (picked.length < Math.min(count, candidates.length))
    picked.push(findBestIndex(scores, links, picked))
  const pickedCandidates = new Set(picked.map((index) => candidates[index]))
  return all.filter((candidate) => pickedCandidates.has(candidate)).map(({ text }) => text)
}

function rankByLinks(links: readonly number[][]): number[] {
  const totals = links.map((row) => row.reduce((sum, link) => sum + link, 0))
  let scores = links.map(() => 1)
  for (let round = 0; round < ITERATIONS; round += 1) {
    const before = scores
    scores = links.map((row) =>
      row.reduce((sum, link, other) => {
        const share = link === 0 ? 0 : link / (totals[other] ?? 1)
        return sum + DAMPING * share * (before[other] ?? 0)
      }, 1 - DAMPING),
    )
  }
  const highest = Math.max(...scores, 1e-9)
  return scores.map((score) => score / highest)
}

function findBestIndex(
  scores: number[],
  links: readonly number[][],
  picked: readonly number[],
): number {
  let bestIndex = -1
  let highestValue = -Infinity
  for (const [index, score] of scores.entries()) {
    if (picked.includes(index)) continue
    const overlap = Math.max(0, ...picked.map((other) => links[index]?.[other] ?? 0))
    const value = (1 - REDUNDANCY_PENALTY) * score - REDUNDANCY_PENALTY * overlap
    if (value <= highestValue) continue
    highestValue = value
    bestIndex = index
  }
  return bestIndex
}

function similarity(a: SentenceCandidate, b: SentenceCandidate): number {
  let shared = 0
  for (const word of a.words) if (b.words.has(word)) shared += 1
  return shared === 0 ? 0 : shared / (Math.log(a.words.size + 1) + Math.log(b.words.size + 1))
}
