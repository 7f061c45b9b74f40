import { Button, Group, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../api-error.ts'
import { useApi, useUser } from '../app-state.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, readText } from '../ui/form.tsx'
import { useAction } from '../ui/use-action.ts'
import { draftKey, dropDraft, keepDraft, readDraft } from './drafts.ts'
import { documentApi, type Place } from './place.ts'
import { useRefreshProjects } from './queries.ts'
import { conditionOf } from './use-editing.ts'

interface NewDocumentProps {
  /** Without one, the form asks for it. */
  project?: string
  onCancel: () => void
}

/** A project appears by itself with the first document in it. */
export function NewDocument({ project, onCancel }: NewDocumentProps) {
  const api = useApi()
  const user = useUser()
  const navigate = useNavigate()
  const refresh = useRefreshProjects()
  const key = draftKey(user.id, project ?? '', '')
  const [text, setText] = useState(() => readDraft(key)?.text ?? '')
  const action = useAction(async (values: FormData) => {
    const place = {
      project: project ?? readText(values, 'project').trim(),
      path: readText(values, 'path').trim(),
    }
    const unreachable = dottedField(place)
    if (unreachable) throw refusal(unreachable, 'Names of dots alone lead elsewhere.')
    try {
      await api.putText(documentApi(place), text, conditionOf(null))
    } catch (error) {
      throw isTaken(error) ? refusal('path', 'There is a document at this path already.') : error
    }
    dropDraft(key)
    await refresh(place)
    await navigate({
      to: '/projects/$projectId/$',
      params: { projectId: place.project, _splat: place.path },
    })
  })
  return (
    <Form action={action}>
      {project === undefined && (
        <TextField
          name="project"
          label="Project"
          description="A new name makes a new project: letters, digits, spaces, “.”, “_” and “-”."
          maxLength={64}
          isFirst
        />
      )}
      <TextField
        name="path"
        label="Path"
        description="Ends with .md or .txt; folders are made on the way, for example “handbook/travel.md”."
        maxLength={500}
      />
      <Textarea
        label="Text"
        value={text}
        spellCheck={false}
        classNames={{ input: 'editor-text' }}
        onChange={(event) => {
          setText(event.currentTarget.value)
          keepDraft(key, { text: event.currentTarget.value, etag: null })
        }}
      />
      <Group gap="xs">
        <Button type="submit" loading={action.isRunning}>
          Save the document
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Form>
  )
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'precondition_failed'
}

/** Browsers take `..` out of an address before the service could refuse it. */
function dottedField(place: Place): keyof Place | undefined {
  return (['project', 'path'] as const).find((field) =>
    place[field].split('/').some((part) => part === '.' || part === '..'),
  )
}

function refusal(field: keyof Place, message: string): ApiError {
  return new ApiError(message, {
    status: 400,
    code: 'invalid_request',
    details: [{ path: field, message }],
    hint: 'Choose another name. What you typed is still here.',
  })
}
