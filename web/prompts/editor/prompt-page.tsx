import { useState } from 'react'
import { useNavigate, getRouteApi } from '@tanstack/react-router'
import { Stack, Button, Text, Group } from '@mantine/core'
import '../prompts.css'
import type { ApiPromptFile } from '../../../src/http/shapes/prompts.ts'
import { type AfterSave, PromptEditor } from './prompt-editor.tsx'
import { usePromptEditor } from './use-prompt-editor.ts'
import { UsingTasks, REFUSAL_LABELS, PromptsPage } from '../prompts-page.tsx'
import { usePromptFile, useTryPrompt, useRefreshPrompts } from '../queries.ts'
import { TaskDialog } from '../../tasks/task-dialog.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialogs.tsx'
import { QueryView, StatusMessage } from '../../ui/feedback/feedback.tsx'
import { PageTitle } from '../../ui/layout.tsx'
import { BackLink, ButtonLink, taskPage } from '../../ui/links.tsx'
import { Hint } from '../../ui/text.tsx'

const route = getRouteApi('/signed-in/prompts/$')

/** The router also uses this page for /prompts, with an empty name. */
export function PromptPage() {
  const { _splat: name = '' } = route.useParams()
  return name === '' ? <PromptsPage /> : <OnePrompt name={name} />
}

/** One prompt to read or edit. */
function OnePrompt({ name }: { name: string }) {
  const query = usePromptFile(name)
  return (
    <Stack key={name} gap="md" maw={1400}>
      <PromptPageHeader title={name} />
      <QueryView query={query} label="the prompt">
        {(prompt) => <PromptContent prompt={prompt} />}
      </QueryView>
    </Stack>
  )
}

export function PromptPageHeader({ title }: { title: string }) {
  return (
    <Stack gap={4}>
      <BackLink to="/prompts">Prompts</BackLink>
      <div className="break-anywhere">
        <PageTitle>{title}</PageTitle>
      </div>
    </Stack>
  )
}

function PromptContent({ prompt }: { prompt: ApiPromptFile }) {
  const { name, refusal } = prompt
  const navigate = useNavigate()
  const tryPrompt = useTryPrompt()
  // The user's initial text stays, even when the prompt is read again after saving.
  const [start] = useState(prompt)
  const editing = usePromptEditor(name, start, refusal !== null)
  const [open, setOpen] = useState<'use' | 'delete' | null>(null)
  const [note, setNote] = useState('')
  const finish = async (next: AfterSave) => {
    if (next === 'try') return tryPrompt(name)
    if (next === 'use') setOpen('use')
    else setNote('Saved')
  }
  return (
    <Stack gap="md">
      <Hint>
        {prompt.authorName !== null && `Written by ${prompt.authorName}. `}Used by{' '}
        <UsingTasks prompt={prompt} />.
      </Hint>
      <StatusMessage>{note}</StatusMessage>
      <PromptEditor
        editing={{ ...editing, change: (text) => (setNote(''), editing.change(text)) }}
        readOnlyReason={refusal === null ? null : REFUSAL_LABELS[refusal]}
        onSave={() => editing.save(name)}
        onSaved={finish}
      >
        <ButtonLink to="/new-prompt" search={{ from: name }} variant="default">
          Duplicate
        </ButtonLink>
        {refusal === null && (
          <Button variant="default" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        )}
      </PromptEditor>
      {open === 'use' && (
        <TaskDialog
          promptName={name}
          onClose={() => setOpen(null)}
          onSaved={(task) => void navigate(taskPage(task.name))}
        />
      )}
      {open === 'delete' && (
        <DeletePromptDialog
          prompt={prompt}
          onDelete={() => editing.remove(name)}
          onClose={() => setOpen(null)}
          onDeleted={() => void navigate({ to: '/prompts' })}
        />
      )}
    </Stack>
  )
}

interface DeletePromptDialogProps {
  prompt: ApiPromptFile
  /** False if another user saved a different version meanwhile. */
  onDelete: () => Promise<boolean>
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a prompt is deleted. Says so if tasks use the prompt, which then can't be deleted. */
function DeletePromptDialog(props: DeletePromptDialogProps) {
  const { prompt, onDelete, onClose, onDeleted } = props
  const { name, tasks, hasHiddenTasks } = prompt
  const refresh = useRefreshPrompts()
  if (tasks.length > 0 || hasHiddenTasks) {
    return (
      <Dialog title={`“${name}” is in use`} onClose={onClose}>
        <Stack>
          <Text>
            These tasks use it: <UsingTasks prompt={prompt} />. Choose another prompt for them, or
            delete them first.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Delete prompt “${name}”?`}
      confirmLabel="Delete prompt"
      onClose={onClose}
      onConfirm={async () => {
        if (!(await onDelete())) return
        onDeleted()
        await refresh(name)
      }}
    >
      Nobody can use it any more. Results of earlier runs are kept.
    </ConfirmDialog>
  )
}
