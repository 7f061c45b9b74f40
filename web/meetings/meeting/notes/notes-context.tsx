import './notes.css'
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { createLineNotesStore, type LineNotesStore } from './line-notes-store.ts'
import { useBookmarks, useComments } from './queries.ts'
import { useActiveLine } from './use-active-line.ts'
import { useNoteShortcuts } from './use-note-shortcuts.ts'

type MeetingNotes = { meetingId: string; notes: LineNotesStore; transcript: TranscriptStore }

const MeetingNotesContext = createContext<MeetingNotes | null>(null)

/** The notes of the page's meeting. Null on other pages. */
export function useMeetingNotes(): MeetingNotes | null {
  return use(MeetingNotesContext)
}

interface MeetingNotesProviderProps {
  meetingId: string
  isLive: boolean
  transcript: TranscriptStore
  children: ReactNode
}

/** Loads a meeting's comments and bookmarks, and passes them to the transcript's lines. */
export function MeetingNotesProvider({
  meetingId,
  isLive,
  transcript,
  children,
}: MeetingNotesProviderProps) {
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
