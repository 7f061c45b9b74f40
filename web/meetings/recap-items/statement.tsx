import { Text, Group, Button } from '@mantine/core'
import { type ReactNode, useState, useRef } from 'react'
import './recap-items.css'
import type { RecapItemKind } from '../../../src/http/shapes/values.ts'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction, ActionButton } from '../../ui/forms.tsx'
import { FormFooter, ItemTextField, PersonField, ItemMenu } from './item-fields.tsx'
import { useRecapItemEditing } from './queries.ts'

export type StatementKind = Exclude<RecapItemKind, 'action'>

const FIELD_LABELS: Record<StatementKind, string> = {
  summary: 'Summary sentence',
  decision: 'Decision',
  question: 'Open question',
}

/** A sentence of the summary, a decision or an open question. */
type StatementFields = {
  id: string
  text: string
  /** Sentences of the summary have none. */
  speaker?: string | null
  /** Why it was decided. */
  reason?: string | null
  editedAt: string | null
}

interface StatementProps {
  meetingId: string
  kind: StatementKind
  statement: StatementFields
  canEdit: boolean
  /** Names that the form suggests. */
  names: readonly string[]
  /** Links to the lines where it was said. */
  citation: ReactNode
  /** Shown before the text. */
  prefix?: ReactNode
}

/** A statement that editors can change and delete in its place. */
export function Statement(props: StatementProps) {
  const { meetingId, kind, statement, canEdit, names, citation, prefix } = props
  const [mode, setMode] = useState<'shown' | 'edited' | 'deleted'>('shown')
  // The form and the question replace the menu or follow it. When they close, the menu gets the focus again.
  const [wasClicked, setClicked] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  const { remove } = useRecapItemEditing(meetingId)
  const open = (next: 'edited' | 'deleted') => {
    setClicked(true)
    setMode(next)
  }
  if (mode === 'edited') {
    return (
      <li className="statement">
        <StatementForm
          {...{ meetingId, kind, statement, names }}
          onClose={() => setMode('shown')}
        />
      </li>
    )
  }
  return (
    <li className="statement" ref={item}>
      <div className="item-line">
        <span>
          {prefix}
          <bdi>{statement.text}</bdi> {citation}
          {statement.editedAt !== null && (
            <>
              {' '}
              <span className="statement-edited one-line">· edited</span>
            </>
          )}
          {statement.reason != null && (
            <Text span display="block" size="sm" c="dimmed" className="break-anywhere">
              Reason: <bdi>{statement.reason}</bdi>
            </Text>
          )}
        </span>
        {canEdit && (
          <ItemMenu
            key={mode}
            text={statement.text}
            hasAutofocus={wasClicked && mode === 'shown'}
            onEdit={() => open('edited')}
            onDelete={() => open('deleted')}
          />
        )}
      </div>
      {mode === 'deleted' && (
        <DeleteQuestion
          onCancel={() => setMode('shown')}
          onDelete={async () => {
            // The statement disappears with its buttons.
            const list = item.current?.parentElement
            await remove(statement.id)
            list?.focus()
          }}
        />
      )}
    </li>
  )
}

interface DeleteQuestionProps {
  onDelete: () => Promise<void>
  onCancel: () => void
}

function DeleteQuestion({ onDelete, onCancel }: DeleteQuestionProps) {
  const deleting = useAction(onDelete)
  return (
    <>
      <Group gap="xs" role="group" aria-label="Delete this statement?">
        <Text span size="sm">
          Delete this statement?
        </Text>
        <ActionButton color="red.9" size="compact-sm" autoFocus action={deleting}>
          Delete statement
        </ActionButton>
        <Button variant="default" size="compact-sm" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <ErrorBox error={deleting.error} />
    </>
  )
}

type StatementFormProps = Pick<StatementProps, 'meetingId' | 'kind' | 'statement' | 'names'> & {
  onClose: () => void
}

/** Changes a statement in its place. If saving fails, the form stays open with the user's input. */
function StatementForm({ meetingId, kind, statement, names, onClose }: StatementFormProps) {
  const { change } = useRecapItemEditing(meetingId)
  const saving = useAction(async (values: FormData) => {
    const changed = findChangedFields(statement, values)
    if (Object.keys(changed).length > 0) await change(statement.id, changed)
    onClose()
  })
  return (
    <Form action={saving}>
      <ItemTextField label={FIELD_LABELS[kind]} text={statement.text} />
      {kind !== 'summary' && (
        <PersonField
          name="speaker"
          label="Said by"
          person={statement.speaker ?? null}
          names={names}
        />
      )}
      <FormFooter submitLabel="Save" isRunning={saving.isRunning} onCancel={onClose} />
    </Form>
  )
}

/** Sends only changed fields, so that another user's change in the meantime is not overwritten. */
function findChangedFields(
  { text: textBefore, speaker: speakerBefore = null }: StatementFields,
  values: FormData,
): { text?: string; speaker?: string | null } {
  const text = readFormText(values, 'text')
  const speaker = readFormText(values, 'speaker') || null
  return {
    ...(text !== textBefore && { text }),
    ...(values.has('speaker') && speaker !== speakerBefore && { speaker }),
  }
}
