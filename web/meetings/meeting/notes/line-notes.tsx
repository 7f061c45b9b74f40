import { VisuallyHidden, Group, Text, Button } from '@mantine/core'
import { type ReactNode, useState, useRef, useSyncExternalStore, type MouseEvent } from 'react'
import type { ApiComment } from '../../../../src/http/shapes/meetings/line-notes.ts'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { CommentForm, LineItemForm, LINE_ITEM_TEXTS } from './note-forms.tsx'
import type { LineNotesStore } from './line-notes-store.ts'
import { useCanEditMeeting } from '../editing/edit-dialogs.tsx'
import { focusTimeOfLine, lineElementId } from '../transcript/line-elements.ts'
import { useMeetingNotes } from './notes-context.tsx'
import { useCommentEditing, useToggleBookmark } from './queries.ts'
import { copyText } from '../../../ui/copy.tsx'
import { ErrorBox } from '../../../ui/feedback/feedback.tsx'
import { Time } from '../../../ui/format/time.tsx'
import { useAction, ActionButton } from '../../../ui/forms.tsx'
import {
  BookmarkIcon,
  SmallDecisionIcon,
  ActionItemIcon,
  OpenQuestionIcon,
  CommentIcon,
  DoneIcon,
  LinkIcon,
} from '../../../ui/icons.tsx'

/** Renders the notes of a transcript line. All lines share one function, so that they are not rendered again. */
export function renderLineNotes(line: ApiSegment): ReactNode {
  return <LineNotesOf line={line} />
}

/** The bookmark, the buttons and the comments of a line. Renders nothing for a line without notes. */
function LineNotesOf({ line }: { line: ApiSegment }) {
  const context = useMeetingNotes()
  return context && <NotesOfLine {...context} line={line} />
}

type NotesOfLineProps = NonNullable<ReturnType<typeof useMeetingNotes>> & { line: ApiSegment }

function NotesOfLine({ meetingId, notes, line }: NotesOfLineProps) {
  const { segmentNumber } = line
  const lineNotes = useSyncExternalStore(
    (listener) => notes.subscribe(segmentNumber, listener),
    () => notes.of(segmentNumber),
  )
  const { isBookmarked, isActive, isCommenting, newItem, comments, problem } = lineNotes
  const { add } = useCommentEditing(meetingId)
  const hasDetails = comments.length > 0 || isCommenting || newItem !== null || problem !== null
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
          {newItem !== null && (
            <LineItemForm
              key={newItem}
              meetingId={meetingId}
              kind={newItem}
              line={line}
              onAdded={(message) => {
                notes.setAddedMessage(segmentNumber, message)
                focusTimeOfLine(segmentNumber)
              }}
              onClose={() => {
                notes.setNewItem(segmentNumber, null)
                focusTimeOfLine(segmentNumber)
              }}
            />
          )}
        </div>
      )}
      <AddedMessage message={lineNotes.addedMessage} isActive={isActive} />
    </>
  )
}

/** Rendered in active lines even if empty, so that screen readers announce the text when it appears. */
function AddedMessage({ message, isActive }: { message: string | null; isActive: boolean }) {
  if (message === null && !isActive) return null
  return (
    <p role="status" className="line-added">
      {message}
    </p>
  )
}

const LINE_ITEM_BUTTONS = [
  ['decision', 'd', SmallDecisionIcon],
  ['action', 'a', ActionItemIcon],
  ['question', 'q', OpenQuestionIcon],
] as const

interface LineActionsProps {
  meetingId: string
  notes: LineNotesStore
  segmentNumber: number
  isBookmarked: boolean
}

/** The buttons of the line under the pointer or with the focus. Screen readers do not announce that they appear. */
function LineActions({ meetingId, notes, segmentNumber, isBookmarked }: LineActionsProps) {
  const toggleBookmark = useToggleBookmark(meetingId, notes)
  const canEdit = useCanEditMeeting()
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
      {canEdit &&
        LINE_ITEM_BUTTONS.map(([kind, key, Icon]) => (
          <button
            key={kind}
            type="button"
            className="line-action"
            aria-label={LINE_ITEM_TEXTS[kind].label}
            title={`${LINE_ITEM_TEXTS[kind].label} (${key})`}
            onClick={() => notes.setNewItem(segmentNumber, kind)}
          >
            <Icon />
          </button>
        ))}
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

/** A comment under its line. Its author can edit and delete it there, owners of the project can delete it. */
function LineComment({ meetingId, comment }: { meetingId: string; comment: ApiComment }) {
  const { author, text, createdAt, editedAt, canEdit, canDelete } = comment
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // The edit's buttons disappear after it. The focus then moves to the button that started it.
  const [wasEdited, setEdited] = useState(false)
  const deleteButton = useRef<HTMLButtonElement>(null)
  const { change, remove } = useCommentEditing(meetingId)
  const deleting = useAction(async () => {
    await remove(comment)
    focusTimeOfLine(comment.segmentNumber)
  })
  if (isEditing) {
    return (
      <li className="line-comment">
        <CommentForm
          label="Edit comment"
          submitLabel="Save"
          initialText={text}
          onSubmit={(changed) => change(comment, changed)}
          onClose={() => {
            setEdited(true)
            setEditing(false)
          }}
        />
      </li>
    )
  }
  return (
    <li className="line-comment">
      <Group gap="xs" justify="space-between" align="flex-start">
        <Text span size="xs" className="break-anywhere">
          <bdi className="comment-author">{author}</bdi>{' '}
          <span className="comment-time">
            <Time at={createdAt} show="near" />
            {editedAt !== null && ' · edited'}
          </span>
        </Text>
        <Group gap={6}>
          {canEdit && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={`Edit the comment of ${author}`}
              autoFocus={wasEdited}
              onClick={() => setEditing(true)}
            >
              Edit
            </Button>
          )}
          {canDelete && (
            <Button
              ref={deleteButton}
              variant="subtle"
              size="compact-xs"
              aria-label={`Delete the comment of ${author}`}
              aria-expanded={isAsking}
              onClick={() => setAsking(true)}
            >
              Delete
            </Button>
          )}
        </Group>
      </Group>
      <p className="comment-text" dir="auto">
        {text}
      </p>
      {isAsking && (
        <Group gap="xs" mt={4} role="group" aria-label="Delete this comment?">
          <Text span size="sm">
            Delete this comment?
          </Text>
          <ActionButton color="red.9" size="compact-sm" autoFocus action={deleting}>
            Delete comment
          </ActionButton>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              setAsking(false)
              deleteButton.current?.focus()
            }}
          >
            Cancel
          </Button>
        </Group>
      )}
      <ErrorBox error={deleting.error} />
    </li>
  )
}
