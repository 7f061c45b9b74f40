type TimeMark = { offset: number; at: number }

/**
 * When each part of a growing text appeared and last changed. Both lists are sorted by offset and time, because a
 * change removes the marks after its offset. Plain data without methods: hundreds of timelines are in memory.
 */
export type TextTimeline = {
  changes: TimeMark[]
  appearances: TimeMark[]
  /** When the text that was dropped before this one appeared. */
  notBefore: number
}

export function createTextTimeline(): TextTimeline {
  return { changes: [], appearances: [], notBefore: Number.NEGATIVE_INFINITY }
}

/** Records a change at the time `at`. The new text began at `startedAt`, which is earlier if it was received late. */
export function recordTextChange(
  timeline: TextTimeline,
  before: string,
  after: string,
  at: number,
  startedAt = at,
): void {
  const { changes, appearances } = timeline
  const offset = commonPrefixLength(before, after)
  while ((changes.at(-1)?.offset ?? -1) >= offset) changes.pop()
  changes.push({ offset, at })
  while ((appearances.at(-1)?.offset ?? -1) >= after.length) appearances.pop()
  const last = appearances.at(-1)
  if (last === undefined)
    appearances.push({ offset: 0, at: Math.max(startedAt, timeline.notBefore) })
  else if (after.length > before.length)
    appearances.push({ offset: before.length, at: Math.max(startedAt, last.at) })
}

/** The time of the last change within the first `endOffset` characters. */
export function findLastChangeTime({ changes }: TextTimeline, endOffset: number): number {
  return timeAt(changes, endOffset - 1)
}

/** When the character at `offset` first appeared. */
export function findAppearanceTime({ appearances }: TextTimeline, offset: number): number {
  return timeAt(appearances, offset)
}

/** Removes the first `endOffset` characters of a text from its timeline and shifts the remaining offsets. */
export function dropTimelineStart(
  timeline: TextTimeline,
  { length }: string,
  endOffset: number,
): void {
  if (endOffset >= length) {
    const { at: notBefore } = timeline.appearances.at(-1) ?? { at: timeline.notBefore }
    Object.assign(timeline, { changes: [], appearances: [], notBefore })
    return
  }
  timeline.changes = shiftMarks(timeline.changes, endOffset)
  timeline.appearances = shiftMarks(timeline.appearances, endOffset)
}

export function commonPrefixLength(a: string, b: string): number {
  const maxLength = Math.min(a.length, b.length)
  let length = 0
  while (length < maxLength && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

function timeAt(marks: readonly TimeMark[], offset: number): number {
  return (marks.findLast((mark) => mark.offset <= offset) ?? marks[0])?.at ?? 0
}

function shiftMarks(marks: readonly TimeMark[], by: number): TimeMark[] {
  const first = Math.max(
    0,
    marks.findLastIndex((mark) => mark.offset <= by),
  )
  return marks.slice(first).map(({ offset, at }) => ({ offset: Math.max(0, offset - by), at }))
}
