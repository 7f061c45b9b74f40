import { createHash } from 'node:crypto'
import { cleanInlineText } from './markdown-text.ts'
import {
  formatDisplaySpeaker,
  formatDisplayTitle,
  formatGap,
  type TranscriptContent,
  WORDS_MISSING,
} from './source.ts'

/** The version of draft-ietf-vcon-vcon-core, which will drop this parameter. Present readers still need it. */
const VERSION = '0.5.0'
const TEXT = { mediatype: 'text/plain', encoding: 'none' } as const

/**
 * Writes a meeting as a vCon: each segment is a dialog of type text, with its speaker as the only party. Gaps and
 * insights are analyses, because a vCon has no place for what was not recorded.
 */
export function* writeVcon(source: TranscriptContent, meetingId: string): Generator<string> {
  const speakers = [...new Set(source.segments.map(({ speaker }) => speaker))]
  const nameOf = new Map(speakers.map((speaker) => [speaker, formatDisplaySpeaker({ speaker })]))
  const participants = source.participants.map(cleanInlineText).filter(Boolean)
  const names = [...new Set([...participants, ...nameOf.values()])]
  const partyOf = new Map([...nameOf].map(([speaker, name]) => [speaker, names.indexOf(name)]))
  const head = {
    vcon: VERSION,
    uuid: toUuid(meetingId),
    created_at: (source.endedAt ?? source.startedAt).toISOString(),
    subject: formatDisplayTitle(source.title),
    parties: names.map((name) => ({ name })),
  }
  // The list of dialogs is written piece by piece, inside the object.
  yield `${JSON.stringify(head).slice(0, -1)},"dialog":[`
  yield* writeItems(listDialogs(source, partyOf))
  yield '],"analysis":['
  yield* writeItems(listAnalyses(source))
  yield ']}\n'
}

function* writeItems(items: Iterable<object>): Generator<string> {
  let separator = ''
  for (const item of items) {
    yield `${separator}${JSON.stringify(item)}`
    separator = ','
  }
}

function* listDialogs(
  { segments }: TranscriptContent,
  partyOf: ReadonlyMap<string, number>,
): Generator<object> {
  for (const segment of segments) {
    const mark = segment.isIncomplete ? `(${WORDS_MISSING}) ` : ''
    yield {
      type: 'text',
      start: segment.startedAt.toISOString(),
      parties: [partyOf.get(segment.speaker)],
      ...TEXT,
      body: mark + cleanInlineText(segment.text),
    }
  }
}

function* listAnalyses({ segments, gaps, insights }: TranscriptContent): Generator<object> {
  const dialogOf = new Map(segments.map(({ number }, index) => [number, index]))
  const findDialogs = (numbers: readonly number[]) =>
    numbers.flatMap((number) => dialogOf.get(number) ?? [])
  for (const gap of gaps) yield toAnalysis('gap', formatGap(gap), findDialogs([gap.afterSegment]))
  for (const { category, text, segmentNumbers } of insights)
    yield toAnalysis(category, cleanInlineText(text), findDialogs(segmentNumbers))
}

function toAnalysis(type: string, body: string, dialog: number[]): object {
  return { type, dialog, vendor: 'Hansard', ...TEXT, body }
}

/** A UUID of version 8 (RFC 9562), which may be made as one likes: the same for every export of a meeting. */
function toUuid(meetingId: string): string {
  const hex = createHash('sha256').update(`vcon ${meetingId}`).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b11) | 0b1000).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
