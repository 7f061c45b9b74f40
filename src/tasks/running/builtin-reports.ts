import type { Brief } from '../../brief/brief.ts'
import { listBriefSections, type BriefItem } from '../../brief/brief-sections.ts'
import { isQuestion, splitSentences } from '../../language/sentences.ts'
import { countWords } from '../../language/words.ts'
import { formatLocalTimeWithoutOffset } from '../../lib/time/zone-offsets.ts'
import {
  escapeInlineMarkdown,
  escapeMarkdownLine,
} from '../../meetings/transcript/markdown-text.ts'
import type { Digest } from '../../recap/digest/collect-digest.ts'
import { listDigestSections, type DigestSection } from '../../recap/digest/digest-sections.ts'
import { formatAction } from '../../recap/recap-document.ts'
import type { Recap } from '../../recap/recap.ts'
import { createRulesRecapMaker } from '../../recap/running/rules-thread.ts'
import type { PromptSettings } from '../prompts/parse-prompt.ts'

/** A meeting's transcript, as input of the built-in reports. */
export type ReportedMeeting = {
  /** Empty for a transcript without a stored meeting. */
  id: string
  title: string
  /** When the meeting started, in ISO format. */
  date: string
  turns: ReadonlyArray<{ speaker: string; time: string; text: string }>
}

/** A report about meetings that are over. */
export type BuiltinReportName = Exclude<NonNullable<PromptSettings['builtin']>, 'brief'>

type SpeakerStats = { turns: number; words: number; questions: number; longest: number }

const NO_MODEL = 'No language model was used: set HANSARD_AI_MODEL to use one.'
const RULES_NOTE = `_Made by built-in rules. ${NO_MODEL}_`
const RECAPS_NOTE = `_Made from the recaps of the meetings. ${NO_MODEL}_`

/** What the reports say about one meeting. Rules make them from its transcript, without a language model. */
const RENDERERS: Record<
  BuiltinReportName,
  (meeting: ReportedMeeting, makeRecap: () => Promise<Recap>) => Promise<string> | string
> = {
  async digest({ turns }, makeRecap) {
    const lines = (await makeRecap()).summary.map(({ text, segmentNumbers: [number = 0] }) => {
      const speaker = turns[number - 1]?.speaker ?? ''
      return `- **${escapeInlineMarkdown(speaker)}:** ${escapeInlineMarkdown(text)}`
    })
    return lines.join('\n') || 'Too little was said for a digest.'
  },

  async 'action-items'({ turns }, makeRecap) {
    const lines = (await makeRecap()).actions.map((action) => {
      const times = action.segmentNumbers.flatMap((number) => turns[number - 1]?.time ?? [])
      return `- ${formatAction({ ...action, state: 'open' }, times)}`
    })
    return lines.join('\n') || 'No action items found.'
  },

  stats({ turns }) {
    const statsBySpeaker = new Map<string, SpeakerStats>()
    for (const { speaker, text } of turns) {
      const words = countWords(text)
      const stats = statsBySpeaker.get(speaker) ?? { turns: 0, words: 0, questions: 0, longest: 0 }
      statsBySpeaker.set(speaker, {
        turns: stats.turns + 1,
        words: stats.words + words,
        questions: stats.questions + splitSentences(text).filter(isQuestion).length,
        longest: Math.max(stats.longest, words),
      })
    }
    const all = [...statsBySpeaker.values()].reduce((sum, { words }) => sum + words, 0)
    const rows = [...statsBySpeaker]
      .toSorted(([, a], [, b]) => b.words - a.words)
      .map(([name, { turns: count, words, questions, longest }]) => {
        const speaker = escapeInlineMarkdown(name).replaceAll('|', String.raw`\|`)
        const share = `${Math.round((100 * words) / Math.max(1, all))} %`
        return `| ${[speaker, words, share, count, questions, longest].join(' | ')} |`
      })
    return [
      '| Speaker | Words | Share | Turns | Questions | Longest turn, words |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n')
  },
}

type Source = {
  /** When the report is made. */
  now: Date
  timeZone: string
  /** What the stored recaps of these meetings say. A meeting without a recap is missing. */
  collectDigest(meetingIds: readonly string[]): Promise<Digest>
}

/** A digest is made from stored recaps. Meetings without one follow, summarized by the rules. */
export async function renderBuiltinReport(
  name: BuiltinReportName,
  meetings: readonly ReportedMeeting[],
  { now, timeZone, collectDigest }: Source,
  signal: AbortSignal,
): Promise<string> {
  const digest = name === 'digest' ? await collectDigest(meetings.map(({ id }) => id)) : null
  const inDigest = new Set(digest?.meetings.map(({ meetingId }) => meetingId))
  const day = formatLocalTimeWithoutOffset(now, timeZone).slice(0, 10)
  const fromRecaps =
    digest === null ? [] : listDigestSections(digest, { day, timeZone }).map(renderDigestSection)
  const makeRecap = createRulesRecapMaker()
  const others = meetings.filter(({ id }) => !inDigest.has(id))
  const fromRules = others.map(async (meeting) => {
    const source = {
      startedAt: new Date(meeting.date),
      timeZone,
      languageHint: null,
      participants: [],
      segments: meeting.turns.map(({ speaker, text }, index) => ({
        number: index + 1,
        speaker,
        text,
        startMs: 0,
        endMs: 0,
      })),
    }
    const heading = `## ${escapeInlineMarkdown(meeting.title)}\n\n${meeting.date.slice(0, 10)}`
    return `${heading}\n\n${await RENDERERS[name](meeting, () => makeRecap(source, signal))}`
  })
  const body = [...fromRecaps, ...(await Promise.all(fromRules))].join('\n\n')
  const note = fromRecaps.length > 0 ? RECAPS_NOTE : RULES_NOTE
  return `${note}\n\n${body || 'There are no transcripts to read.'}\n`
}

function renderDigestSection({ heading, items, others }: DigestSection): string {
  const lines = items.map(({ text, notes, meetingTitle }) => {
    const about = [...notes, ...(meetingTitle === null ? [] : [meetingTitle])]
    return `- ${escapeMarkdownLine(text)} (${about.map(escapeInlineMarkdown).join(' · ')})`
  })
  const rest = others === 0 ? [] : [`- ${others} more`]
  return [`## ${heading}`, '', ...lines, ...rest].join('\n')
}

/** The brief of an upcoming meeting. Null if the execution is about none. */
export function renderBuiltinBrief(brief: Brief | null): string {
  if (brief === null) return `${RECAPS_NOTE}\n\nThere is no upcoming meeting to prepare.\n`
  const { title, startsAt } = brief.upcoming
  const sections = listBriefSections(brief).map(
    ({ heading, items }) => `### ${heading}\n\n${items.map(formatBriefItem).join('\n')}`,
  )
  const start = `${startsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const body = sections.join('\n\n') || 'Nothing is known about this series or these people yet.'
  return `${RECAPS_NOTE}\n\n## ${escapeInlineMarkdown(title)}\n\n${start}\n\n${body}\n`
}

function formatBriefItem({ text, notes, link }: BriefItem): string {
  const about = notes.length === 0 ? '' : ` (${notes.map(escapeInlineMarkdown).join(', ')})`
  return `- ${escapeInlineMarkdown(text)}${about} [${escapeInlineMarkdown(link.label)}](${link.path})`
}
