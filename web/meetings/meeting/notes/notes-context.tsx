import { type ReactNode, createContext, use, useEffect, useMemo, useState } from 'react'
import './notes.css'
import { useCanEditMeeting } from '../editing/edit-dialogs.tsx'
import { type LineItemKind, type LineNotesStore, createLineNotesStore } from './line-notes-store.ts'
import { lineNumberOf } from '../transcript/line-elements.ts'
import { useBookmarks, useComments, useToggleBookmark } from './queries.ts'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'

type MeetingNotes = { meetingId: string; notes: LineNotesStore; transcript: TranscriptStore }

const MeetingNotesContext = createContext<MeetingNotes | null>(null)

/** The notes of the page's meeting. Null on other pages. */
export function useMeetingNotes(): MeetingNotes | null {
  return use(MeetingNotesContext)
}

/** Loads a meeting's comments and bookmarks, and passes them to the transcript's lines. */
export function MeetingNotesProvider({
  meetingId,
  isLive,
  transcript,
  children,
}: {
  meetingId: string
  isLive: boolean
  transcript: TranscriptStore
  children: ReactNode
}) {
  const [notes] = useState(createLineNotesStore)
  const value = useMemo(() => ({ meetingId, notes, transcript }), [meetingId, notes, transcript])
  return (
    <MeetingNotesContext value={value}>
      <NotesLoader {...value} isLive={isLive} />
      {children}
    </MeetingNotesContext>
  )
}

/** A separate component, so that changed notes do not render the whole page again. */
function NotesLoader({ meetingId, notes, transcript, isLive }: MeetingNotes & { isLive: boolean }) {
  const { data: comments } = useComments(meetingId)
  const { data: bookmarks } = useBookmarks(meetingId)
  useEffect(() => {
    if (comments) notes.setComments(comments.comments)
  }, [comments, notes])
  useEffect(() => {
    if (bookmarks) notes.setBookmarks(bookmarks.bookmarks.map((mark) => mark.segmentNumber))
  }, [bookmarks, notes])
  useActiveLine(notes)
  useNoteShortcuts(meetingId, notes, () => {
    const newest = isLive ? transcript.lines().chunks.at(-1)?.at(-1) : undefined
    return newest?.segmentNumber ?? null
  })
  return null
}

/**
 * `b` bookmarks and `c` comments the line with the focus, the pointer or a link's highlight; `d`, `a` and `q` add it to
 * the recap. Without such a line, `b` bookmarks the newest line of a live meeting, and `d`, `a` and `q` add that.
 */
function useNoteShortcuts(
  meetingId: string,
  notes: LineNotesStore,
  findNewestLiveLine: () => number | null,
): void {
  const toggleBookmark = useToggleBookmark(meetingId, notes)
  const canEdit = useCanEditMeeting()
  const chosenLine = () =>
    lineNumberOf(document.activeElement) ??
    notes.activeLine() ??
    lineNumberOf(document.querySelector('.transcript .line.target'))
  const addItem = (kind: LineItemKind) => {
    const line = chosenLine() ?? findNewestLiveLine()
    if (canEdit && line !== null) notes.setNewItem(line, kind)
  }
  useShortcuts({
    d: () => addItem('decision'),
    a: () => addItem('action'),
    q: () => addItem('question'),
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

/**
 * Makes lines active that have the pointer or the focus, or were tapped. The listeners are on the document, so that ten
 * thousand lines need none of their own.
 */
function useActiveLine(notes: LineNotesStore): void {
  useEffect(() => {
    const focused = () => lineNumberOf(document.activeElement)
    // Lines also scroll under a resting pointer. The line with the keyboard focus keeps its buttons, because one of
    // them may have the focus.
    const keyboardLine = () =>
      document.activeElement?.matches(':focus-visible') ? focused() : null
    const onPointerOver = ({ pointerType, target }: PointerEvent) => {
      // A finger has no position before it taps.
      if (pointerType !== 'touch')
        notes.setActiveLines([lineNumberOf(target) ?? focused(), keyboardLine()])
    }
    const onClick = ({ target }: MouseEvent) =>
      notes.setActiveLines([lineNumberOf(target), keyboardLine()])
    const onFocusIn = ({ target }: FocusEvent) => {
      const line = lineNumberOf(target)
      if (line !== null) notes.setActiveLines([line])
    }
    document.addEventListener('pointerover', onPointerOver)
    document.addEventListener('click', onClick)
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('keydown', moveFocusBetweenLines)
    return () => {
      document.removeEventListener('pointerover', onPointerOver)
      document.removeEventListener('click', onClick)
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('keydown', moveFocusBetweenLines)
    }
  }, [notes])
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrow keys move the focus from a line's time to the time of the next or previous line. */
function moveFocusBetweenLines(event: KeyboardEvent): void {
  const step = STEPS[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('.transcript .line-time[href]')) return
  const times = [...document.querySelectorAll<HTMLElement>('.transcript .line-time[href]')]
  const next = times[times.indexOf(target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
