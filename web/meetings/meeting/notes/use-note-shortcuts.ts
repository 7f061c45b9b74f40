import { useShortcuts } from '../../../ui/keyboard/use-shortcuts.ts'
import { lineNumberOf } from './line-of-element.ts'
import type { LineNotesStore } from './line-notes-store.ts'
import { useToggleBookmark } from './queries.ts'

/**
 * `b` bookmarks and `c` comments the line with the focus, the pointer or a link's highlight. Without such a line, `b`
 * bookmarks the newest line of a live meeting.
 */
export function useNoteShortcuts(
  meetingId: string,
  notes: LineNotesStore,
  findNewestLiveLine: () => number | null,
): void {
  const toggleBookmark = useToggleBookmark(meetingId, notes)
  const chosenLine = () =>
    lineNumberOf(document.activeElement) ??
    notes.activeLine() ??
    lineNumberOf(document.querySelector('.transcript .line.target'))
  useShortcuts({
    b: () => {
      const line = chosenLine() ?? findNewestLiveLine()
      if (line !== null) void toggleBookmark(line)
    },
    c: () => {
      const line = chosenLine()
      if (line !== null) notes.setCommenting(line, true)
    },
  })
}
