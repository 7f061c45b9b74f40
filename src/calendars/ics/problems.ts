/** What could not be read in a feed. The texts quote nothing from the feed, because they are shown and logged. */
const PROBLEM_TEXTS = {
  invalid_characters: () => 'The feed is not valid UTF-8; some characters were replaced.',
  unreadable_line: (count: number) =>
    `Lines that are not in the iCalendar format and were ignored: ${count}.`,
  event_without_start: (count: number) =>
    `Events without a valid start that were ignored: ${count}.`,
  event_without_uid: (count: number) =>
    `Events without a UID, which are identified by their start and title: ${count}.`,
  poll: (count: number) => `Polls about the time of a meeting, which were ignored: ${count}.`,
  unreadable_date: (count: number) =>
    `Added or excluded dates that could not be read and were ignored: ${count}.`,
  unknown_zone: (count: number) =>
    `Times in an unknown time zone, for which the zone of the calendar is used: ${count}.`,
  unreadable_clock_change: (count: number) =>
    `Clock changes in the feed’s own time zones that could not be read, so that times may be wrong by an hour: ${count}.`,
  unreadable_rule: (count: number) =>
    `Events with a repetition that could not be read, of which only the first date is used: ${count}.`,
  unreadable_exclusion: (count: number) =>
    `Excluded repetitions that could not be read and were ignored: ${count}.`,
  rule_too_frequent: (count: number) =>
    `Events that repeat more than 96 times a day, of which only the first date is used: ${count}.`,
  rule_too_long: (count: number) =>
    `Events with a repetition that takes too long to compute, of which only the first date is used: ${count}.`,
  too_many_meetings: () => 'Only the first 2,000 meetings of the planned weeks are used.',
} as const

export type FeedProblem = keyof typeof PROBLEM_TEXTS

/** Why a feed cannot be read at all. */
export type FeedErrorCode =
  | 'not_a_calendar'
  | 'truncated'
  /** The feed has events, but none has a valid start. An empty calendar is not an error. */
  | 'no_readable_event'
  | 'too_large'
  | 'too_complex'

/** The message is a sentence for people and quotes nothing from the feed. */
export class FeedError extends Error {
  readonly code: FeedErrorCode

  constructor(code: FeedErrorCode, message: string) {
    super(message)
    this.name = 'FeedError'
    this.code = code
  }
}

/** Counts problems, so that many of one kind give one sentence. */
export function createProblemCounter() {
  const counts = new Map<FeedProblem, number>()
  return {
    add(problem: FeedProblem): void {
      counts.set(problem, (counts.get(problem) ?? 0) + 1)
    },
    list: () => Array.from(counts, ([problem, count]) => PROBLEM_TEXTS[problem](count)),
  }
}

export type ProblemCounter = ReturnType<typeof createProblemCounter>
