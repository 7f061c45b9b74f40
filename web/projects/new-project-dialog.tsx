import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { explainBadName } from '../../src/lib/text/bad-names.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { useApi } from '../api/app-state.tsx'
import { isConflict, preconditionHeaders } from '../api/conflicts.ts'
import { readFormText, TextField } from '../ui/forms/form.tsx'
import { findDotSegment, toFieldError } from './new-document-form.tsx'
import { useProjects, useUpdateCacheAfterDocumentChange } from './queries.ts'

/** Creates a project with a README.md, because a project exists as soon as it has a document. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useUpdateCacheAfterDocumentChange()
  const known = useProjects().data?.pages.flatMap(({ projects }) => projects) ?? []
  const [name, setName] = useState('')
  const submit = async (values: FormData) => {
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
    await navigate({ to: '/projects/$projectId/$', params: { projectId: project, _splat: '' } })
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
      />
      {name.trim() !== '' && <WhoMayRead project={name} what="the project" />}
    </FormDialog>
  )
}
