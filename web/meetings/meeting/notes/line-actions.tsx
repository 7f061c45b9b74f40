import { useState, type MouseEvent } from 'react'
import { copyText } from '../../../ui/copy/copy-text.ts'
import { lineElementId } from '../transcript/line-id.ts'
import type { LineNotesStore } from './line-notes-store.ts'
import { BookmarkIcon, CommentIcon, DoneIcon, LinkIcon } from './note-icons.tsx'
import { useToggleBookmark } from './queries.ts'

interface LineActionsProps {
  meetingId: string
  notes: LineNotesStore
  segmentNumber: number
  isBookmarked: boolean
}

/** The buttons of the line under the pointer or with the focus. Screen readers do not announce that they appear. */
export function LineActions({ meetingId, notes, segmentNumber, isBookmarked }: LineActionsProps) {
  const toggleBookmark = useToggleBookmark(meetingId, notes)
  return (
    <div className="line-actions" role="group" aria-label="Line" aria-live="off">
      <button
        type="button"
        className="line-action"
        aria-label="Bookmark"
        aria-pressed={isBookmarked}
        title={isBookmarked ? 'Remove bookmark (b)' : 'Bookmark (b)'}
        onClick={() => void toggleBookmark(segmentNumber)}
      >
        <BookmarkIcon isFilled={isBookmarked} />
      </button>
      <button
        type="button"
        className="line-action"
        aria-label="Comment"
        title="Comment (c)"
        onClick={() => notes.setCommenting(segmentNumber, true)}
      >
        <CommentIcon />
      </button>
      <CopyLinkButton segmentNumber={segmentNumber} />
    </div>
  )
}

type CopyState = 'none' | 'copied' | 'failed'

const LINK_LABELS: Record<CopyState, string> = {
  none: 'Copy link to this line',
  copied: 'Copied',
  failed: 'Your browser blocked copying',
}

/** Shows the result until another line is active. */
function CopyLinkButton({ segmentNumber }: { segmentNumber: number }) {
  const [state, setState] = useState<CopyState>('none')
  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const { origin, pathname } = window.location
    const link = `${origin}${pathname}#${lineElementId(segmentNumber)}`
    setState((await copyText(link, currentTarget)) ? 'copied' : 'failed')
  }
  return (
    <>
      <button
        type="button"
        className="line-action"
        aria-label={LINK_LABELS.none}
        title={LINK_LABELS[state]}
        onClick={(event) => void copy(event)}
      >
        {state === 'copied' ? <DoneIcon /> : <LinkIcon />}
      </button>
      {/* Always the same element: screen readers announce changed text, but not text that appears with its element. */}
      <span role="status" className={state === 'none' ? undefined : 'line-action-status'}>
        {state === 'none' ? '' : LINK_LABELS[state]}
      </span>
    </>
  )
}
