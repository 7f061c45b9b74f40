import { Button, Group, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { Form, readFormText, useFieldError, useAction } from '../../../ui/forms/form.tsx'

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
