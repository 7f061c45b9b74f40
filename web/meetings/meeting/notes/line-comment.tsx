import { Button, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { WireComment } from '../../../../src/http/shapes/meetings/line-notes.ts'
import { ErrorBox } from '../../../ui/feedback/error-box.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { Time } from '../../../ui/format/time.tsx'
import { CommentForm } from './comment-form.tsx'
import { focusTimeOfLine } from './line-of-element.ts'
import { useCommentEditing } from './queries.ts'

interface LineCommentProps {
  meetingId: string
  comment: WireComment
}

/** A comment under its line. Its author can edit and delete it there, owners of the project can delete it. */
export function LineComment({ meetingId, comment }: LineCommentProps) {
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
            <Time at={createdAt} show="ago" />
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
          <Button
            color="red.9"
            size="compact-sm"
            autoFocus
            loading={deleting.isRunning}
            onClick={() => void deleting.run()}
          >
            Delete comment
          </Button>
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
      {deleting.error ? <ErrorBox error={deleting.error} /> : null}
    </li>
  )
}
