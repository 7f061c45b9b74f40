import { Button, Group, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useApi, useUser } from '../api/app-state.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText } from '../ui/forms/form.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { draftKey, deleteDraft, saveDraft, readDraft } from './document/drafts.ts'
import { documentApiPath, type DocumentRef } from './document-ref.ts'
import { useRefreshProjects } from './queries.ts'
import { preconditionHeaders } from './document/use-document-editor.ts'

interface NewDocumentFormProps {
  /** Without one, the form asks for it. */
  project?: string
  onCancel: () => void
}

/** A project appears by itself with the first document in it. */
export function NewDocumentForm({ project, onCancel }: NewDocumentFormProps) {
  const api = useApi()
  const user = useUser()
  const navigate = useNavigate()
  const refresh = useRefreshProjects()
  const key = draftKey(user.id, project ?? '', '')
  const [text, setText] = useState(() => readDraft(key)?.text ?? '')
  const action = useAction(async (values: FormData) => {
    const place = {
      project: project ?? readFormText(values, 'project').trim(),
      path: readFormText(values, 'path').trim(),
    }
    const unreachable = findDotSegment(place)
    if (unreachable) throw toFieldError(unreachable, 'Names of dots alone lead elsewhere.')
    try {
      await api.putText(documentApiPath(place), text, preconditionHeaders(null))
    } catch (error) {
      throw isPathTaken(error)
        ? toFieldError('path', 'There is a document at this path already.')
        : error
    }
    deleteDraft(key)
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
          hasAutofocus
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
          saveDraft(key, { text: event.currentTarget.value, etag: null })
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

function isPathTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'precondition_failed'
}

/** Browsers take `..` out of an address before the service could refuse it. */
function findDotSegment(place: DocumentRef): keyof DocumentRef | undefined {
  return (['project', 'path'] as const).find((field) =>
    place[field].split('/').some((part) => part === '.' || part === '..'),
  )
}

function toFieldError(field: keyof DocumentRef, message: string): ApiError {
  return new ApiError(message, {
    status: 400,
    code: 'invalid_request',
    details: [{ path: field, message }],
    hint: 'Choose another name. What you typed is still here.',
  })
}
