type Mark = { offset: number; at: number }

/**
 * When the characters of a growing and rewritten text appeared, and since when they have stood still. Both
 * lists rise in offset and in time: a change removes the marks behind it, since it is later than they are.
 * Plain data, because hundreds are remembered.
 */
export type Timeline = { changes: Mark[]; births: Mark[] }

export function createTimeline(): Timeline {
  return { changes: [], births: [] }
}

export function noteChange(timeline: Timeline, before: string, after: string, at: number): void {
  const { changes, births } = timeline
  const offset = commonStart(before, after)
  while ((changes.at(-1)?.offset ?? -1) >= offset) changes.pop()
  changes.push({ offset, at })
  while ((births.at(-1)?.offset ?? -1) >= after.length) births.pop()
  if (births.length === 0) births.push({ offset: 0, at })
  else if (after.length > before.length) births.push({ offset: before.length, at })
}

/** Since when the first `end` characters are unchanged. */
export function stableSince({ changes }: Timeline, end: number): number {
  return lastBefore(changes, end - 1)
}

/** When the text at `offset` began to be said. */
export function bornAt({ births }: Timeline, offset: number): number {
  return lastBefore(births, offset)
}

/** The first `end` characters are no longer part of the text. */
export function dropStart(timeline: Timeline, end: number): void {
  timeline.changes = shift(timeline.changes, end)
  timeline.births = shift(timeline.births, end)
}

export function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same += 1
  return same
}

function lastBefore(marks: readonly Mark[], offset: number): number {
  return (marks.findLast((mark) => mark.offset <= offset) ?? marks[0])?.at ?? 0
}

function shift(marks: readonly Mark[], by: number): Mark[] {
  const first = Math.max(
    0,
    marks.findLastIndex((mark) => mark.offset <= by),
  )
  return marks.slice(first).map(({ offset, at }) => ({ offset: Math.max(0, offset - by), at }))
}
