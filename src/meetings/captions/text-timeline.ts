type TimeMark = { offset: number; at: number }

/**
 * When the characters of a growing and rewritten text appeared, and since when they have stood still. Both
 * lists rise in offset and in time: a change removes the marks behind it, since it is later than they are.
 * Plain data, because hundreds are remembered.
 */
export type TextTimeline = { changes: TimeMark[]; appearances: TimeMark[] }

export function createTextTimeline(): TextTimeline {
  return { changes: [], appearances: [] }
}

export function recordChange(
  timeline: TextTimeline,
  before: string,
  after: string,
  at: number,
): void {
  const { changes, appearances } = timeline
  const offset = commonPrefixLength(before, after)
  while ((changes.at(-1)?.offset ?? -1) >= offset) changes.pop()
  changes.push({ offset, at })
  while ((appearances.at(-1)?.offset ?? -1) >= after.length) appearances.pop()
  if (appearances.length === 0) appearances.push({ offset: 0, at })
  else if (after.length > before.length) appearances.push({ offset: before.length, at })
}

/** Since when the first `end` characters are unchanged. */
export function stableSince({ changes }: TextTimeline, end: number): number {
  return timeAt(changes, end - 1)
}

/** When the text at `offset` began to be said. */
export function appearedAt({ appearances }: TextTimeline, offset: number): number {
  return timeAt(appearances, offset)
}

/** The first `end` characters are no longer part of the text. */
export function dropStart(timeline: TextTimeline, end: number): void {
  timeline.changes = shiftMarks(timeline.changes, end)
  timeline.appearances = shiftMarks(timeline.appearances, end)
}

export function commonPrefixLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same += 1
  return same
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
