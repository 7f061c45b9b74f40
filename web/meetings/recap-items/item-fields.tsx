import { Button, Group, Textarea, TextInput, ActionIcon, Menu } from '@mantine/core'
import { useFieldError } from '../../ui/forms.tsx'
import './recap-items.css'
import { DotsIcon } from '../../ui/icons.tsx'
import type { ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { SuggestingField } from '../../ui/fields.tsx'

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
  return (
    <SuggestingField
      name={name}
      label={label}
      defaultValue={person ?? ''}
      suggestions={names.map((value) => ({ value, label: '' }))}
      maxLength={200}
      autoComplete="off"
      flex="1 1 140px"
      error={useFieldError(name)}
    />
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

interface ItemMenuProps {
  text: string
  hasAutofocus: boolean
  onEdit: () => void
  onDelete: () => void
}

/** The menu of an entry of a recap. */
export function ItemMenu({ text, hasAutofocus, onEdit, onDelete }: ItemMenuProps) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="md"
          aria-label={`Edit or delete “${shortenText(text)}”`}
          autoFocus={hasAutofocus}
        >
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>Edit</Menu.Item>
        <Menu.Item onClick={onDelete}>Delete</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const MAX_NAME_LENGTH = 60

/** The beginning of a text, to name it in a label. */
export function shortenText(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text
}

/** The names of the people in a meeting, each once, to suggest as owner or speaker. */
export function listParticipantNames({ participants }: Pick<ApiMeetingDetail, 'participants'>) {
  const names = participants.map(({ name }) => name).filter((name) => name !== '')
  return [...new Set(names)].toSorted()
}
