/** When the characters of a growing and rewritten text appeared, and since when they have stood still. */
export interface Timeline {
  change(before: string, after: string, at: number): void
  /** Since when the first `end` characters are unchanged. */
  stableSince(end: number): number
  /** When the text at `offset` began to be said. */
  bornAt(offset: number): number
  /** The first `end` characters are no longer part of the text. */
  drop(end: number): void
}

type Mark = { offset: number; at: number }

export function createTimeline(): Timeline {
  // Both rise in offset and in time: a change removes the marks behind it, since it is later than they are.
  let changes: Mark[] = []
  let births: Mark[] = []
  return {
    change(before, after, at) {
      const offset = commonStart(before, after)
      while ((changes.at(-1)?.offset ?? -1) >= offset) changes.pop()
      changes.push({ offset, at })
      while ((births.at(-1)?.offset ?? -1) >= after.length) births.pop()
      if (births.length === 0) births.push({ offset: 0, at })
      else if (after.length > before.length) births.push({ offset: before.length, at })
    },
    stableSince: (end) => lastBefore(changes, end - 1),
    bornAt: (offset) => lastBefore(births, offset),
    drop(end) {
      changes = shift(changes, end)
      births = shift(births, end)
    },
  }
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
