import { Checkbox, Group, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import './actions.css'
import type { ApiAction } from '../../src/http/shapes/meetings/recap.ts'
import { useProjectRights } from '../access/queries.ts'
import { DueDate } from './due-date.tsx'
import { type ActionChange, useChangeAction, useActionState } from './queries.ts'
import {
  DueDateField,
  FormFooter,
  ItemTextField,
  PersonField,
  ItemMenu,
  shortenText,
} from '../meetings/recap-items/item-fields.tsx'
import { SpeakerName } from '../meetings/speakers/speaker-name.tsx'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction } from '../ui/forms.tsx'
import { Hint } from '../ui/text.tsx'

interface ActionItemProps {
  action: ApiAction
  /** The project of its meeting. Only its editors can change the item. */
  project: string
  /** Names that the form suggests as owner. */
  ownerNames: readonly string[]
  /** Links to the lines where it was said. */
  citation: ReactNode
}

/** An action item that can be ticked, edited and deleted in its place in a list. */
export function ActionItem({ action, project, ownerNames, citation }: ActionItemProps) {
  const [isEditing, setEditing] = useState(false)
  // The menu, the form and the button that restores the item replace each other. The new element gets the focus.
  const [wasClicked, setClicked] = useState(false)
  const { state, setState, error } = useActionState(action)
  const { canEdit } = useProjectRights(project)
  if (isEditing) {
    return (
      <li className="action-item">
        <ActionItemForm action={action} ownerNames={ownerNames} onClose={() => setEditing(false)} />
      </li>
    )
  }
  return (
    <li className="action-item">
      {state === 'deleted' ? (
        <DeletedItem
          text={action.text}
          hasAutofocus={wasClicked}
          onRestore={() => setState('open')}
        />
      ) : (
        <>
          <div className="item-line">
            <Checkbox
              checked={state === 'done'}
              disabled={!canEdit}
              onChange={(event) => setState(event.currentTarget.checked ? 'done' : 'open')}
              label={
                <bdi className={state === 'done' ? 'action-text action-done' : 'action-text'}>
                  {action.text}
                </bdi>
              }
            />
            {canEdit && (
              <ItemMenu
                text={action.text}
                hasAutofocus={wasClicked}
                onEdit={() => {
                  setClicked(true)
                  setEditing(true)
                }}
                onDelete={() => {
                  setClicked(true)
                  setState('deleted')
                }}
              />
            )}
          </div>
          <div className="action-facts">
            <span className="break-anywhere">
              {action.owner === null ? 'No owner' : <SpeakerName speaker={action.owner} isSmall />}
            </span>
            <DueDate action={action} isOpen={state === 'open'} />
            {citation}
          </div>
        </>
      )}
      <ErrorBox error={error} />
    </li>
  )
}

interface DeletedItemProps {
  text: string
  hasAutofocus: boolean
  onRestore: () => void
}

/** Stays in place of a deleted item until the list is read again. */
function DeletedItem({ text, hasAutofocus, onRestore }: DeletedItemProps) {
  return (
    <Group gap="xs">
      <Hint>
        Deleted: <bdi>{text}</bdi>
      </Hint>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Restore “${shortenText(text)}”`}
        autoFocus={hasAutofocus}
        onClick={onRestore}
      >
        Restore
      </Button>
    </Group>
  )
}

interface ActionItemFormProps {
  action: ApiAction
  ownerNames: readonly string[]
  onClose: () => void
}

/** Edits an action item in its place. If saving fails, the form stays open with the user's input. */
function ActionItemForm({ action, ownerNames, onClose }: ActionItemFormProps) {
  const change = useChangeAction()
  const saving = useAction(async (values: FormData) => {
    const changed = findChangedFields(action, values)
    if (Object.keys(changed).length > 0) await change(action.actionId, changed)
    onClose()
  })
  return (
    <Form action={saving}>
      <ItemTextField label="Action item" text={action.text} />
      <Group align="flex-end" gap="sm">
        <PersonField name="owner" label="Owner" person={action.owner} names={ownerNames} />
        <DueDateField dueDate={action.dueDate} />
      </Group>
      <FormFooter submitLabel="Save" isRunning={saving.isRunning} onCancel={onClose} />
    </Form>
  )
}

/** Sends only changed fields, so that another user's change in the meantime is not overwritten. */
function findChangedFields(action: ApiAction, values: FormData): ActionChange {
  const text = readFormText(values, 'text')
  const owner = readFormText(values, 'owner') || null
  const dueDate = readFormText(values, 'dueDate') || null
  return {
    ...(text !== action.text && { text }),
    ...(owner !== action.owner && { owner }),
    ...(dueDate !== action.dueDate && { dueDate }),
  }
}
