import { type GapCause, GAP_CAUSE_TEXTS } from '../../transcript/gap-causes.ts'

/** A text as it is in the file: not cleaned, and possibly without a speaker or a time. */
export type FoundSegment = {
  /** The line in the file, for error messages. */
  line: number
  /** Empty if the file does not say who spoke. */
  speaker: string
  text: string
  /** Milliseconds since the start of the meeting; null if the file does not say it. */
  startMs: number | null
  endMs: number | null
}

export type FoundGap = {
  cause: GapCause
  startMs: number
  endMs: number
}

/**
 * A local date and time such as `2026-11-15T08:30`. `time` is null if the file has only the date. `zone` is an
 * abbreviation with several meanings, such as IST.
 */
export type LocalStart = { date: string; time: string | null; zone?: string }

/** What a file says about a meeting. */
export type FoundTranscript = {
  title: string | null
  startedAt: Date | LocalStart | null
  /** How long the meeting lasted; null if the file does not say it. */
  durationMs: number | null
  /** Participants that the file lists, including those who said nothing. */
  participants: string[]
  segments: FoundSegment[]
  gaps: FoundGap[]
  /** How many notes about gaps were skipped instead of read as texts. */
  gapNotes: number
  /** Warnings about the content for the person who imports the file. */
  notes: string[]
}

export const NOTHING_FOUND: FoundTranscript = {
  title: null,
  startedAt: null,
  durationMs: null,
  participants: [],
  segments: [],
  gaps: [],
  gapNotes: 0,
  notes: [],
}

/** A place in a file that cannot be read, and why. */
export type TranscriptProblem = { line: number; reason: string }

/** The file is not a transcript in the format that it seems to have. */
export class UnreadableTranscript extends Error {
  override readonly name = 'UnreadableTranscript'
  readonly problems: readonly TranscriptProblem[]

  constructor(problems: readonly TranscriptProblem[]) {
    super(problems.map(formatProblem).join('. '))
    this.problems = problems
  }
}

const CAUSES = new Set<string>(Object.values(GAP_CAUSE_TEXTS))
const GAP_NOTE = /^[[(*]\d.{0,40} not recorded: (.{1,60})[\])*]$/u

export function formatProblem({ line, reason }: TranscriptProblem): string {
  return `Line ${line}: ${reason}`
}

/** A person would not read more problems at once. */
const MAX_PROBLEMS = 10

export type ProblemList = ReturnType<typeof createProblemList>

/** Throws as soon as `MAX_PROBLEMS` problems were added. */
export function createProblemList() {
  const problems: TranscriptProblem[] = []
  const throwIfAny = () => {
    if (problems.length > 0) throw new UnreadableTranscript(problems)
  }
  return {
    add(line: number, reason: string) {
      problems.push({ line, reason })
      if (problems.length >= MAX_PROBLEMS) throwIfAny()
    },
    /** Throws `UnreadableTranscript` if there are problems. */
    throwIfAny,
  }
}

/** Runs a reader with a list of problems, and fails if it has added any. */
export function collectProblems<Result>(read: (problems: ProblemList) => Result): Result {
  const problems = createProblemList()
  const result = read(problems)
  problems.throwIfAny()
  return result
}

export function failAt(line: number, reason: string): never {
  throw new UnreadableTranscript([{ line, reason }])
}

/** True if Hansard wrote this text in place of a gap. Nobody said it. */
export function isGapNote(text: string): boolean {
  const [, cause] = GAP_NOTE.exec(text.trim()) ?? []
  return cause !== undefined && CAUSES.has(cause)
}
