import { renderActionItemsReport } from './action-items.ts'
import { renderDigestReport } from './digest.ts'
import type { MeetingTranscriptForReport } from './meeting-text.ts'
import { renderSpeakerStatsReport } from './stats.ts'

export const BUILTIN_MODEL_NAME = 'builtin/rules-1'

/** The reports that rules produce from transcripts, without a language model. */
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
