import '../prompts.css'
import { Button, Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WirePromptFile } from '../../../src/http/shapes/prompts.ts'
import { TaskDialog } from '../../tasks/task-dialog.tsx'
import { QueryView } from '../../ui/feedback/query-view.tsx'
import { StatusMessage } from '../../ui/feedback/status-message.tsx'
import { PageTitle } from '../../ui/layout/page-title.tsx'
import { BackLink, ButtonLink } from '../../ui/links.tsx'
import { UsingTasks } from '../prompt-card.tsx'
import { REFUSAL_LABELS } from '../prompt-labels.ts'
import { PromptsPage } from '../prompts-page.tsx'
import { usePromptFile } from '../queries.ts'
import { DeletePromptDialog } from './delete-prompt-dialog.tsx'
import { PromptEditor, type AfterSave } from './prompt-editor.tsx'
import { usePromptEditor } from './use-prompt-editor.ts'
import { useTryPrompt } from './use-try-prompt.ts'

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

function PromptContent({ prompt }: { prompt: WirePromptFile }) {
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
      <Text size="sm" c="dimmed">
        {prompt.authorName !== null && `Written by ${prompt.authorName}. `}Used by{' '}
        <UsingTasks prompt={prompt} />.
      </Text>
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
          onSaved={(task) => void navigate({ to: '/tasks/$name', params: { name: task.name } })}
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
