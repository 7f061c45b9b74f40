import { Textarea, Group, Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { explainBadName } from '../../src/lib/text/bad-names.ts'
import { ApiError } from '../api/api-error.ts'
import { useApi, useSignedInUser } from '../api/use-api.tsx'
import { Form, readFormText, useAction } from '../ui/forms.tsx'
import { draftKey, deleteDraft, saveDraft, readDraft } from './document/drafts.ts'
import type { DocumentRef } from './document-ref.ts'
import { useUpdateCacheAfterDocumentChange, useProjects } from './queries.ts'
import { isConflict, preconditionHeaders } from '../api/conflicts.ts'
import { FormDialog } from '../ui/dialogs.tsx'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { projectPage } from '../ui/links.tsx'
import { TextField } from '../ui/fields.tsx'
import type { ApiClient } from '../api/client.ts'

interface NewDocumentFormProps {
  /** The project of the new document. If missing, the form asks for it. */
  project?: string
  onCancel: () => void
}

/** Saving the first document of a project creates the project. */
export function WriteNewDocumentForm({ project, onCancel }: NewDocumentFormProps) {
  const api = useApi()
  const user = useSignedInUser()
  const navigate = useNavigate()
  const refresh = useUpdateCacheAfterDocumentChange()
  const key = draftKey(user.id, project ?? '', '')
  const [text, setText] = useState(() => readDraft(key)?.text ?? '')
  const action = useAction(async (values: FormData) => {
    const documentRef = {
      project: project ?? readFormText(values, 'project'),
      path: readFormText(values, 'path'),
    }
    const invalidField = findDotSegment(documentRef)
    if (invalidField) {
      const kind = invalidField === 'project' ? 'project' : 'document'
      throw toFieldError(invalidField, `${explainBadName(kind, documentRef[invalidField])}.`)
    }
    try {
      await api.projects.saveDocument(documentRef.project, documentRef.path, text, {
        headers: preconditionHeaders(null),
      })
    } catch (error) {
      throw isConflict(error)
        ? toFieldError('path', 'A document with this path already exists.')
        : error
    }
    deleteDraft(key)
    await refresh(documentRef)
    await navigate(projectPage(documentRef.project, documentRef.path))
  })
  return (
    <Form action={action}>
      {project === undefined && (
        <TextField
          name="project"
          label="Project"
          description="A new name creates a new project. Letters, digits, spaces, “.”, “_” and “-”."
          maxLength={64}
          hasAutofocus
          autoComplete="on"
        />
      )}
      <TextField
        name="path"
        label="Path"
        description="Must end with .md or .txt. Folders are created automatically, for example “handbook/travel.md”."
        maxLength={500}
        autoComplete="on"
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
          Save document
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Form>
  )
}

/** Finds the field with a `.` or `..` path part. The API can't reject it, because browsers resolve it in the URL. */
function findDotSegment(documentRef: DocumentRef): keyof DocumentRef | undefined {
  return (['project', 'path'] as const).find((field) =>
    documentRef[field].split('/').some((part) => part === '.' || part === '..'),
  )
}

function toFieldError(field: keyof DocumentRef, message: string): ApiError {
  return new ApiError(message, {
    status: 400,
    code: 'invalid_request',
    details: [{ path: field, message }],
  })
}

/** Creates a project with a README.md, because a project exists as soon as it has a document. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const refresh = useUpdateCacheAfterDocumentChange()
  const known = useProjects().data?.pages.flatMap(({ projects }) => projects) ?? []
  const [name, setName] = useState('')
  const submit = async (api: ApiClient, values: FormData) => {
    const project = readFormText(values, 'project')
    const readMe = { project, path: 'README.md' }
    if (findDotSegment(readMe)) {
      throw toFieldError('project', `${explainBadName('project', project)}.`)
    }
    const taken = toFieldError('project', 'A project with this name already exists.')
    if (known.some(({ id }) => id.toLowerCase() === project.toLowerCase())) throw taken
    try {
      await api.projects.saveDocument(readMe.project, readMe.path, `# ${project}\n`, {
        headers: preconditionHeaders(null),
      })
    } catch (error) {
      throw isConflict(error) ? taken : error
    }
    await refresh(readMe)
    await navigate(projectPage(project))
  }
  return (
    <FormDialog
      title="New project"
      submitLabel="Create project"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        name="project"
        label="Name"
        description="Letters, digits, spaces, “.”, “_” and “-”."
        maxLength={64}
        hasAutofocus
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="on"
      />
      {name.trim() !== '' && <WhoMayRead project={name} what="the project" />}
    </FormDialog>
  )
}
