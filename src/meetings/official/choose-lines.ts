import type { GapCause } from '../transcript/gap-causes.ts'
import type { EndReason } from '../status.ts'

/**
 * What becomes of the official transcript of a meeting that a bot attended. `keep`: it is stored, and the transcript
 * stays as it is. `fill`: its lines fill the times at which nothing was recorded. `replace`: its lines replace those of
 * the time that it covers.
 */
export const OFFICIAL_MODES = ['keep', 'fill', 'replace'] as const
export type OfficialMode = (typeof OFFICIAL_MODES)[number]

/** A mode, and how many parts of the official transcript it uses. A later part of the meeting can arrive later. */
export type LinesChoice = { mode: OfficialMode; parts: number }

/** One transcript of the provider. Transcription that is stopped and started again makes another one. */
export type OfficialPart = { fromMs: number; untilMs: number; firstNumber: number; source: string }

/** A line of the bot or of the official transcript. */
export type OfferedLine = { number: number; isOfficial: boolean; atMs: number }

export type OfferedLines = {
  lines: readonly OfferedLine[]
  gaps: ReadonlyArray<{ number: number; cause: GapCause; startMs: number; endMs: number }>
  parts: readonly OfficialPart[]
  attended: { fromMs: number; untilMs: number; liveMs: number | null; reason: EndReason | null }
}

export type ChosenLines = {
  /** The numbers of the lines that make up the transcript. */
  chosen: ReadonlySet<number>
  /** For each other line the chosen one that is nearest in time; null if there is none. */
  nearest: ReadonlyMap<number, number | null>
  /** The numbers of the gaps that the official transcript covers. */
  filledGaps: number[]
  /** The start and end of the meeting with these lines. */
  fromMs: number
  untilMs: number
}

type Span = { fromMs: number; untilMs: number }

/** Clocks of the platform and of this machine differ a little. */
const TOLERANCE_MS = 2_000

/** After these ends the participants did not want to be recorded any more. */
const SENT_AWAY: ReadonlySet<EndReason | null> = new Set<EndReason | null>([
  'asked_to_leave',
  'removed',
  'stopped',
])

/** Decides which lines make up the transcript. The result depends on nothing else, so each choice can be undone. */
export function chooseLines(offered: OfferedLines, choice: LinesChoice): ChosenLines {
  const { lines, attended } = offered
  const parts = choice.mode === 'keep' ? [] : offered.parts.slice(0, choice.parts)
  const gaps = offered.gaps.filter(({ cause }) => cause !== 'paused')
  const mayUse = createOfficialFilter(offered, choice, parts)
  const isChosen = ({ isOfficial, atMs }: OfferedLine) =>
    isOfficial ? mayUse(atMs) : choice.mode !== 'replace' || !parts.some((part) => has(part, atMs))
  const usedUntil = offered.parts[parts.length]?.firstNumber ?? Infinity
  const chosen = lines.filter(
    (line) => isChosen(line) && (!line.isOfficial || (parts.length > 0 && line.number < usedUntil)),
  )
  const official = chosen.filter(({ isOfficial }) => isOfficial).map(({ atMs }) => atMs)
  return {
    chosen: new Set(chosen.map(({ number }) => number)),
    nearest: findNearest(lines, chosen),
    filledGaps: gaps
      .filter((gap) => parts.some((part) => covers(part, gap)))
      .map(({ number }) => number),
    fromMs: official.reduce((first, atMs) => Math.min(first, atMs), attended.fromMs),
    untilMs: official.reduce((last, atMs) => Math.max(last, atMs), attended.untilMs),
  }
}

/** A time at which a participant paused the recording stays without lines, whatever the project chose. */
function createOfficialFilter(
  { gaps, attended }: OfferedLines,
  { mode }: LinesChoice,
  parts: readonly OfficialPart[],
): (atMs: number) => boolean {
  if (mode === 'keep' || parts.length === 0) return () => false
  const toSpan = ({ startMs, endMs }: { startMs: number; endMs: number }): Span => ({
    fromMs: startMs,
    untilMs: endMs,
  })
  const paused = gaps.filter(({ cause }) => cause === 'paused').map(toSpan)
  const missed = gaps.filter(({ cause }) => cause !== 'paused').map(toSpan)
  const wasSentAway = SENT_AWAY.has(attended.reason)
  return (atMs) => {
    if (paused.some((span) => has(span, atMs))) return false
    if (wasSentAway && atMs >= attended.untilMs) return false
    if (mode === 'replace') return true
    const isBeforeBot = attended.liveMs === null || atMs < attended.liveMs
    return isBeforeBot || missed.some((span) => has(span, atMs))
  }
}

function has({ fromMs, untilMs }: Span, atMs: number): boolean {
  return atMs >= fromMs && atMs < untilMs
}

function covers(part: Span, { startMs, endMs }: { startMs: number; endMs: number }): boolean {
  return part.fromMs <= startMs + TOLERANCE_MS && part.untilMs >= endMs - TOLERANCE_MS
}

function findNearest(
  lines: readonly OfferedLine[],
  chosen: readonly OfferedLine[],
): Map<number, number | null> {
  const byTime = (a: OfferedLine, b: OfferedLine) => a.atMs - b.atMs || a.number - b.number
  const sorted = chosen.toSorted(byTime)
  const kept = new Set(chosen)
  const nearest = new Map<number, number | null>()
  let next = 0
  for (const line of lines.filter((other) => !kept.has(other)).toSorted(byTime)) {
    while (next < sorted.length && (sorted[next]?.atMs ?? 0) < line.atMs) next += 1
    const [before, after] = [sorted[next - 1], sorted[next]]
    const isBefore =
      before !== undefined &&
      (after === undefined || line.atMs - before.atMs <= after.atMs - line.atMs)
    nearest.set(line.number, (isBefore ? before : after)?.number ?? null)
  }
  return nearest
}

/** A choice as the history stores it: `fill`, or `fill 2` with the first two parts. */
export function formatChoice({ mode, parts }: LinesChoice): string {
  return mode === 'keep' || parts === 1 ? mode : `${mode} ${parts}`
}

export function parseChoice(text: string): LinesChoice {
  const [word = '', parts = '1'] = text.split(' ')
  const mode = OFFICIAL_MODES.find((name) => name === word) ?? 'keep'
  return { mode, parts: mode === 'keep' ? 0 : Number(parts) }
}
