import { renderActionItemsReport } from './action-items.ts'
import { renderDigestReport } from './digest.ts'
import type { MeetingText } from './meeting-text.ts'
import { renderSpeakerStatsReport } from './stats.ts'

export const BUILTIN_MODEL = 'builtin/rules-1'

/** The reports that rules produce from transcripts, without a language model. */
export const BUILTIN_REPORTS = {
  digest: renderDigestReport,
  'action-items': renderActionItemsReport,
  stats: renderSpeakerStatsReport,
} as const satisfies Record<string, (meetings: readonly MeetingText[]) => string>

export type BuiltinReport = keyof typeof BUILTIN_REPORTS

const NOTE =
  '_Made by built-in rules. No language model was used: set HANSARD_AI_MODEL to use one._'

export function renderBuiltinReport(name: BuiltinReport, meetings: readonly MeetingText[]): string {
  const body =
    meetings.length === 0 ? 'There are no transcripts to read.' : BUILTIN_REPORTS[name](meetings)
  return `${NOTE}\n\n${body}\n`
}
