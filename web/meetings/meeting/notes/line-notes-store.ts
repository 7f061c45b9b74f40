import type { ApiComment } from '../../../../src/http/shapes/meetings/line-notes.ts'
import type { RecapItemKind } from '../../../../src/http/shapes/values.ts'
import { createLatestQueue, type LatestQueue } from '../../../ui/forms/latest-queue.ts'

/** What a line can be added to the recap as. */
export type LineItemKind = Exclude<RecapItemKind, 'summary'>

/** What a transcript line shows besides its text. */
export type LineNotes = {
  isBookmarked: boolean
  comments: readonly ApiComment[]
  /** True if the line shows its buttons, because it has the pointer or the focus. */
  isActive: boolean
  /** True if the form for a new comment is open. */
  isCommenting: boolean
  /** What the open form adds the line to the recap as. Null if it is closed. */
  newItem: LineItemKind | null
  /** Says that the line was added to the recap. Null if it was not, or another form was opened since then. */
  addedMessage: string | null
  /** Why the last change of its bookmark failed. Null if it did not. */
  problem: unknown
}

const NO_COMMENTS: readonly ApiComment[] = []
const NO_NOTES: LineNotes = {
  isBookmarked: false,
  comments: NO_COMMENTS,
  isActive: false,
  isCommenting: false,
  newItem: null,
  addedMessage: null,
  problem: null,
}

/**
 * The notes of all lines of a meeting. Each line subscribes only to its own notes, because a transcript can have ten
 * thousand lines, and each pointer move makes another line active.
 */
export interface LineNotesStore {
  of(segmentNumber: number): LineNotes
  subscribe(segmentNumber: number, listener: () => void): () => void
  setComments(comments: readonly ApiComment[]): void
  setBookmarks(segmentNumbers: readonly number[]): void
  /** The line that shows its buttons. If there are two, the one under the pointer. */
  activeLine(): number | null
  /** Sets the lines that show their buttons. Pointer and focus may be on different lines. */
  setActiveLines(segmentNumbers: ReadonlyArray<number | null>): void
  setCommenting(segmentNumber: number, isCommenting: boolean): void
  /** Opens the form that adds the line to the recap. Null closes it. */
  setNewItem(segmentNumber: number, kind: LineItemKind | null): void
  setAddedMessage(segmentNumber: number, message: string): void
  setProblem(segmentNumber: number, problem: unknown): void
  /** Text that was typed but not sent. A line that is rendered again shows it. */
  drafts: Map<number, string>
  /** The requests that set and remove the bookmark of a line. */
  bookmarkQueueOf(segmentNumber: number): LatestQueue
}

export function createLineNotesStore(): LineNotesStore {
  const notes = new Map<number, LineNotes>()
  const listeners = new Map<number, Set<() => void>>()
  const bookmarkQueues = new Map<number, LatestQueue>()
  let commentedLines: ReadonlySet<number> = new Set()
  let bookmarkedLines: ReadonlySet<number> = new Set()
  let activeLines: ReadonlySet<number> = new Set()

  const of = (line: number) => notes.get(line) ?? NO_NOTES
  const change = (line: number, changes: Partial<LineNotes>) => {
    const next = { ...of(line), ...changes }
    if (isEmpty(next)) notes.delete(line)
    else notes.set(line, next)
    for (const listener of listeners.get(line) ?? []) listener()
  }

  return {
    of,
    subscribe(line, listener) {
      const ofLine = listeners.get(line) ?? new Set()
      listeners.set(line, ofLine.add(listener))
      return () => {
        ofLine.delete(listener)
        if (ofLine.size === 0 && listeners.get(line) === ofLine) listeners.delete(line)
      }
    },
    setComments(comments) {
      const byLine = Map.groupBy(comments, ({ segmentNumber }) => segmentNumber)
      const lines = new Set(byLine.keys())
      for (const line of new Set([...lines, ...commentedLines]))
        change(line, { comments: byLine.get(line) ?? NO_COMMENTS })
      commentedLines = lines
    },
    setBookmarks(segmentNumbers) {
      const lines = new Set(segmentNumbers)
      for (const line of new Set([...lines, ...bookmarkedLines])) {
        if (lines.has(line) !== bookmarkedLines.has(line))
          change(line, { isBookmarked: lines.has(line) })
      }
      bookmarkedLines = lines
    },
    activeLine: () => [...activeLines][0] ?? null,
    setActiveLines(segmentNumbers) {
      const before = activeLines
      activeLines = new Set(segmentNumbers.filter((line) => line !== null))
      for (const line of before) if (!activeLines.has(line)) change(line, { isActive: false })
      for (const line of activeLines) if (!before.has(line)) change(line, { isActive: true })
    },
    setCommenting: (line, isCommenting) => change(line, { isCommenting }),
    setNewItem: (line, newItem) => change(line, { newItem, addedMessage: null }),
    setAddedMessage: (line, addedMessage) => change(line, { newItem: null, addedMessage }),
    setProblem: (line, problem) => change(line, { problem }),
    drafts: new Map(),
    bookmarkQueueOf(line) {
      const queue = bookmarkQueues.get(line) ?? createLatestQueue()
      bookmarkQueues.set(line, queue)
      return queue
    },
  }
}

function isEmpty(notes: LineNotes): boolean {
  return Object.entries(NO_NOTES).every(([name, value]) => {
    const current = notes[name as keyof LineNotes]
    return Array.isArray(current) ? current.length === 0 : current === value
  })
}
