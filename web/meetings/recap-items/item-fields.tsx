import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useFieldError } from '../../ui/forms/form.tsx'

/** The longest text of an entry that the service accepts. */
export const MAX_ITEM_TEXT_LENGTH = 400

/** What an entry of a recap says. */
export function ItemTextField({ label, text }: { label: string; text: string }) {
  return (
    <Textarea
      name="text"
      label={label}
      defaultValue={text}
      maxLength={MAX_ITEM_TEXT_LENGTH}
      rows={3}
      required
      withAsterisk={false}
      autoFocus
      error={useFieldError('text')}
    />
  )
}

interface PersonFieldProps {
  name: 'owner' | 'speaker'
  label: string
  person: string | null
  /** Names that the field suggests. */
  names: readonly string[]
}

/** Who does or said something. */
export function PersonField({ name, label, person, names }: PersonFieldProps) {
  const listId = useId()
  return (
    <>
      <TextInput
        name={name}
        label={label}
        defaultValue={person ?? ''}
        list={listId}
        maxLength={200}
        autoComplete="off"
        flex="1 1 140px"
        error={useFieldError(name)}
      />
      <datalist id={listId}>
        {names.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
    </>
  )
}

export function DueDateField({ dueDate }: { dueDate: string | null }) {
  return (
    <TextInput
      name="dueDate"
      type="date"
      label="Due date"
      defaultValue={dueDate ?? ''}
      error={useFieldError('dueDate')}
    />
  )
}

interface FormFooterProps {
  submitLabel: string
  isRunning: boolean
  onCancel: () => void
}

export function FormFooter({ submitLabel, isRunning, onCancel }: FormFooterProps) {
  return (
    <Group gap="xs">
      <Button type="submit" size="xs" loading={isRunning}>
        {submitLabel}
      </Button>
      <Button variant="default" size="xs" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  )
}
