import { Button, Group, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { Form, readFormText, useFieldError, useAction } from '../../../ui/forms.tsx'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import {
  listParticipantNames,
  DueDateField,
  FormFooter,
  ItemTextField,
  MAX_ITEM_TEXT_LENGTH,
  PersonField,
} from '../../recap-items/item-fields.tsx'
import { useMeeting } from '../../queries.ts'
import { useRecapItemEditing } from '../../recap-items/queries.ts'
import type { LineItemKind } from './line-notes-store.ts'

const MAX_COMMENT_LENGTH = 2_000

interface CommentFormProps {
  label: string
  submitLabel: string
  initialText: string
  onType?: (text: string) => void
  onSubmit: (text: string) => Promise<void>
  onClose: () => void
}

/** Writes or changes a comment. If saving fails, the form stays open with the user's text. */
export function CommentForm(props: CommentFormProps) {
  const { label, submitLabel, initialText, onType, onSubmit, onClose } = props
  const saving = useAction(async (values: FormData) => {
    await onSubmit(readFormText(values, 'text'))
    onClose()
  })
  return (
    <Form action={saving}>
      <CommentField label={label} initialText={initialText} onType={onType} onClose={onClose} />
      <Group gap="xs">
        <Button type="submit" size="xs" loading={saving.isRunning}>
          {submitLabel}
        </Button>
        <Button variant="default" size="xs" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Form>
  )
}

type CommentFieldProps = Pick<CommentFormProps, 'label' | 'initialText' | 'onClose'> & {
  onType: CommentFormProps['onType']
}

function CommentField({ label, initialText, onType, onClose }: CommentFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      event.currentTarget.form?.requestSubmit()
  }
  return (
    <Textarea
      name="text"
      aria-label={label}
      placeholder="Everyone who can read this meeting sees your comment"
      defaultValue={initialText}
      maxLength={MAX_COMMENT_LENGTH}
      rows={2}
      required
      autoFocus
      dir="auto"
      classNames={{ input: 'comment-field' }}
      error={useFieldError('text')}
      onChange={(event) => onType?.(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

type KindTexts = { label: string; submitLabel: string; added: string }

export const LINE_ITEM_TEXTS: Record<LineItemKind, KindTexts> = {
  decision: { label: 'Decision', submitLabel: 'Add decision', added: 'Added to the decisions.' },
  action: {
    label: 'Action item',
    submitLabel: 'Add action item',
    added: 'Added to the action items.',
  },
  question: {
    label: 'Question',
    submitLabel: 'Add question',
    added: 'Added to the open questions.',
  },
}

interface LineItemFormProps {
  meetingId: string
  kind: LineItemKind
  line: ApiSegment
  /** Called when the item is stored, with a message about it. */
  onAdded: (message: string) => void
  onClose: () => void
}

/** Adds what a line says to the recap. If saving fails, the form stays open with the user's text. */
export function LineItemForm({ meetingId, kind, line, onAdded, onClose }: LineItemFormProps) {
  const { add } = useRecapItemEditing(meetingId)
  const meeting = useMeeting(meetingId).data?.meeting
  const names = meeting === undefined ? [] : listParticipantNames(meeting)
  const { submitLabel, label, added } = LINE_ITEM_TEXTS[kind]
  const saving = useAction(async (values: FormData) => {
    const item = { kind, text: readFormText(values, 'text'), segmentNumbers: [line.segmentNumber] }
    const owner = readFormText(values, 'owner') || null
    const dueDate = readFormText(values, 'dueDate') || null
    await add(kind === 'action' ? { ...item, owner, dueDate } : item)
    const isLive = meeting !== undefined && isActiveStatus(meeting.status)
    onAdded(isLive ? `${added} The recap has it when the meeting has ended.` : added)
  })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      const { target } = event
      if (target instanceof HTMLElement) target.closest('form')?.requestSubmit()
    }
  }
  return (
    <div className="line-item-form" onKeyDown={onKeyDown}>
      <Form action={saving}>
        <ItemTextField label={label} text={line.text.slice(0, MAX_ITEM_TEXT_LENGTH)} />
        {kind === 'action' && (
          <Group align="flex-end" gap="sm">
            <PersonField name="owner" label="Owner" person={line.speaker || null} names={names} />
            <DueDateField dueDate={null} />
          </Group>
        )}
        <FormFooter submitLabel={submitLabel} isRunning={saving.isRunning} onCancel={onClose} />
      </Form>
    </div>
  )
}
