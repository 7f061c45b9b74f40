import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { WireSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { ErrorBox } from '../../../ui/feedback/error-box.tsx'
import { CommentForm } from './comment-form.tsx'
import { LineActions } from './line-actions.tsx'
import { LineComment } from './line-comment.tsx'
import { focusTimeOfLine } from './line-of-element.ts'
import { BookmarkIcon } from './note-icons.tsx'
import { useMeetingNotes } from './notes-context.tsx'
import { useCommentEditing } from './queries.ts'

/** Renders the notes of a transcript line. All lines share one function, so that they are not rendered again. */
export function renderLineNotes({ segmentNumber }: WireSegment): ReactNode {
  return <LineNotesOf segmentNumber={segmentNumber} />
}

/** The bookmark, the buttons and the comments of a line. Renders nothing for a line without notes. */
function LineNotesOf({ segmentNumber }: { segmentNumber: number }) {
  const context = useMeetingNotes()
  return context && <NotesOfLine {...context} segmentNumber={segmentNumber} />
}

type NotesOfLineProps = NonNullable<ReturnType<typeof useMeetingNotes>> & { segmentNumber: number }

function NotesOfLine({ meetingId, notes, segmentNumber }: NotesOfLineProps) {
  const { isBookmarked, isActive, isCommenting, comments, problem } = useSyncExternalStore(
    (listener) => notes.subscribe(segmentNumber, listener),
    () => notes.of(segmentNumber),
  )
  const { add } = useCommentEditing(meetingId)
  const hasDetails = comments.length > 0 || isCommenting || problem !== null
  return (
    <>
      {isBookmarked && (
        <span className="line-bookmark">
          <BookmarkIcon isFilled />
          <VisuallyHidden>Bookmarked</VisuallyHidden>
        </span>
      )}
      {isActive && (
        <LineActions
          meetingId={meetingId}
          notes={notes}
          segmentNumber={segmentNumber}
          isBookmarked={isBookmarked}
        />
      )}
      {hasDetails && (
        <div className="line-comments" aria-live="off">
          {problem === null ? null : <ErrorBox error={problem} />}
          {comments.length > 0 && (
            <ul className="plain-list" aria-label="Comments">
              {comments.map((comment) => (
                <LineComment key={comment.commentId} meetingId={meetingId} comment={comment} />
              ))}
            </ul>
          )}
          {isCommenting && (
            <CommentForm
              label="Comment"
              submitLabel="Comment"
              initialText={notes.drafts.get(segmentNumber) ?? ''}
              onType={(text) => notes.drafts.set(segmentNumber, text)}
              onSubmit={(text) => add(segmentNumber, text)}
              onClose={() => {
                notes.drafts.delete(segmentNumber)
                notes.setCommenting(segmentNumber, false)
                focusTimeOfLine(segmentNumber)
              }}
            />
          )}
        </div>
      )}
    </>
  )
}
