import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useId } from 'react'
import type { WireAction } from '../../src/http/shapes/meetings/recap.ts'
import { Form, readFormText, useFieldError } from '../ui/forms/form.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useChangeAction, type ActionChange } from './queries.ts'

interface ActionItemFormProps {
  action: WireAction
  ownerNames: readonly string[]
  onClose: () => void
}

/** Edits an action item in its place. If saving fails, the form stays open with the user's input. */
export function ActionItemForm({ action, ownerNames, onClose }: ActionItemFormProps) {
  const change = useChangeAction()
  const saving = useAction(async (values: FormData) => {
    const changed = findChangedFields(action, values)
    if (Object.keys(changed).length > 0) await change(action.actionId, changed)
    onClose()
  })
  return (
    <Form action={saving}>
      <TextOfItem text={action.text} />
      <Group align="flex-end" gap="sm">
        <OwnerField owner={action.owner} names={ownerNames} />
        <DueDateField dueDate={action.dueDate} />
      </Group>
      <Group gap="xs">
        <Button type="submit" size="xs" loading={saving.isRunning}>
          Save
        </Button>
        <Button variant="default" size="xs" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Form>
  )
}

function TextOfItem({ text }: { text: string }) {
  return (
    <Textarea
      name="text"
      label="Action item"
      defaultValue={text}
      maxLength={400}
      rows={3}
      required
      withAsterisk={false}
      autoFocus
      error={useFieldError('text')}
    />
  )
}

function OwnerField({ owner, names }: { owner: string | null; names: readonly string[] }) {
  const listId = useId()
  return (
    <>
      <TextInput
        name="owner"
        label="Owner"
        defaultValue={owner ?? ''}
        list={listId}
        maxLength={200}
        autoComplete="off"
        flex="1 1 140px"
        error={useFieldError('owner')}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function DueDateField({ dueDate }: { dueDate: string | null }) {
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

/** Sends only changed fields, so that another user's change in the meantime is not overwritten. */
function findChangedFields(action: WireAction, values: FormData): ActionChange {
  const text = readFormText(values, 'text')
  const owner = readFormText(values, 'owner') || null
  const dueDate = readFormText(values, 'dueDate') || null
  return {
    ...(text !== action.text && { text }),
    ...(owner !== action.owner && { owner }),
    ...(dueDate !== action.dueDate && { dueDate }),
  }
}
