import { useState } from 'react'
import { useNavigate, getRouteApi } from '@tanstack/react-router'
import { Stack, TextInput } from '@mantine/core'
import '../prompts.css'
import { isPromptName, PROMPT_NAME_RULE_TEXT } from '../../../src/tasks/prompts/prompt-name.ts'
import { usePromptGallery } from '../../tasks/queries.ts'
import { TaskDialog } from '../../tasks/task-dialog.tsx'
import { QueryView } from '../../ui/feedback/feedback.tsx'
import { ButtonLink, taskPage } from '../../ui/links.tsx'
import { suggestCopyName } from '../prompts-page.tsx'
import { usePromptFile, useTryPrompt } from '../queries.ts'
import { PromptEditor } from './prompt-editor.tsx'
import { PromptPageHeader } from './prompt-page.tsx'
import { usePromptDraft, usePromptEditor } from './use-prompt-editor.ts'

const route = getRouteApi('/signed-in/new-prompt')

/** The text of a new prompt: a description, and the transcript of the meeting that just ended. */
const STARTER = `---
description: A follow-up mail after each meeting.
tools: []
---
Write a short follow-up mail about “{{ meeting.title }}”. Name the decisions, and who does what.

{{ meeting.text | tokens: 30000 }}
`

/** A new prompt, or a copy of another one. */
export function NewPromptPage() {
  const { from } = route.useSearch()
  return (
    <Stack key={from ?? ''} gap="md" maw={1400}>
      <PromptPageHeader title={from === undefined ? 'New prompt' : `Copy of ${from}`} />
      {from === undefined ? <NewPrompt start={STARTER} suggestedName="" /> : <Copy from={from} />}
    </Stack>
  )
}

function Copy({ from }: { from: string }) {
  const file = usePromptFile(from)
  const { data: gallery } = usePromptGallery()
  const draft = usePromptDraft(from)
  return (
    <QueryView query={file} label="the prompt">
      {({ text, refusal }) =>
        gallery && (
          // Unsaved changes of a prompt that became read-only can only be kept in a copy.
          <NewPrompt
            start={(refusal === null ? null : draft.text) ?? text}
            {...(refusal !== null && { onCreated: draft.discard })}
            suggestedName={suggestCopyName(
              from,
              gallery.prompts.map(({ name }) => name),
            )}
          />
        )
      }
    </QueryView>
  )
}

interface NewPromptProps {
  start: string
  suggestedName: string
  onCreated?: () => void
}

function NewPrompt({ start, suggestedName, onCreated }: NewPromptProps) {
  const navigate = useNavigate()
  const tryPrompt = useTryPrompt()
  const [name, setName] = useState(suggestedName)
  const [isNameMissing, setNameMissing] = useState(false)
  const [isUsing, setUsing] = useState(false)
  // A copy is not saved yet, so it is always treated as changed.
  const editing = usePromptEditor(`new ${suggestedName}`, { text: start, etag: null })
  const isNameValid = isPromptName(name)
  const openPage = (saved: string) => navigate({ to: '/prompts/$', params: { _splat: saved } })
  return (
    <>
      <PromptEditor
        editing={{ ...editing, isChanged: true }}
        nameField={
          <TextInput
            label="Name"
            description="Letters, digits, hyphens and underscores. A slash makes a folder, such as team/weekly"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={(isNameMissing || name !== '') && !isNameValid ? PROMPT_NAME_RULE_TEXT : null}
            autoComplete="off"
            maxLength={128}
            data-autofocus
            autoFocus
          />
        }
        onSave={async () => {
          setNameMissing(!isNameValid)
          return isNameValid && editing.save(name)
        }}
        onSaved={async (next) => {
          onCreated?.()
          if (next === 'try') await tryPrompt(name)
          else if (next === 'use') setUsing(true)
          else await openPage(name)
        }}
      >
        <ButtonLink to="/prompts" variant="default">
          Cancel
        </ButtonLink>
      </PromptEditor>
      {isUsing && (
        <TaskDialog
          promptName={name}
          onClose={() => void openPage(name)}
          onSaved={(task) => void navigate(taskPage(task.name))}
        />
      )}
    </>
  )
}
