import { Stack } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../ui/dialogs.tsx'
import type { ApiTask } from '../../src/http/shapes/tasks.ts'
import { TASK_TIMEOUT_LIMITS_MS } from '../../src/http/shapes/values.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { ApiError } from '../api/api-error.ts'
import { readFormText } from '../ui/forms.tsx'
import { PromptField } from './prompt-field.tsx'
import { promptNameToTaskName } from './use-run-task.ts'
import { ScheduleFields, readScheduleFields } from './schedule/schedule-fields.tsx'
import type { ApiClient } from '../api/client.ts'
import { TextField } from '../ui/fields.tsx'
import { Hint } from '../ui/text.tsx'

const TIMEOUT_SECONDS = {
  default: TASK_TIMEOUT_LIMITS_MS.default / 1000,
  min: TASK_TIMEOUT_LIMITS_MS.min / 1000,
  max: TASK_TIMEOUT_LIMITS_MS.max / 1000,
}

interface TaskDialogProps {
  /** The task to edit. Without it, the dialog creates a task. */
  task?: ApiTask
  /** The initial prompt of a new task. */
  promptName?: string
  onClose: () => void
  onSaved: (task: ApiTask) => void
}

export function TaskDialog({ task, promptName, onClose, onSaved }: TaskDialogProps) {
  const [project, setProject] = useState('')
  const submit = async (api: ApiClient, values: FormData) => {
    const body = toBody(values)
    const saving = task
      ? api.tasks.update(task.name, body)
      : api.tasks.create({
          name: readFormText(values, 'name'),
          ...(project.trim() !== '' && { project: project.trim() }),
          ...body,
        })
    const saved = await saving.catch((error: unknown) => {
      throw assignToField(error)
    })
    return saved.task
  }
  return (
    <FormDialog
      title={task ? `Edit “${task.name}”` : 'New task'}
      size="lg"
      submitLabel={task ? 'Save' : 'Create task'}
      onSubmit={submit}
      reloads={['tasks']}
      onClose={onClose}
      onSaved={onSaved}
    >
      {!task && (
        <TextField
          name="name"
          label="Task name"
          description="Letters, digits, dots, hyphens and underscores. You cannot change it later"
          defaultValue={promptName === undefined ? '' : promptNameToTaskName(promptName)}
          maxLength={64}
          hasAutofocus
        />
      )}
      <PromptField chosen={task?.promptName ?? promptName} taskProject={task?.project ?? project} />
      {!task && (
        <Stack gap={6}>
          <TextField
            name="project"
            label="Project"
            description="Optional. A task of a project reads it with your rights and saves its results there. You cannot change it later"
            value={project}
            onChange={(event) => setProject(event.currentTarget.value)}
            maxLength={64}
            isOptional
          />
          {project.trim() === '' ? (
            <Hint>
              Everyone who can sign in will see the task and its results. It reads team projects
              only.
            </Hint>
          ) : (
            <WhoMayRead project={project} what="the results" />
          )}
        </Stack>
      )}
      <ScheduleFields task={task} />
      <TextField
        name="timeout"
        type="number"
        label="Timeout in seconds"
        description={`A run that takes longer is stopped. ${TIMEOUT_SECONDS.min} to ${TIMEOUT_SECONDS.max}`}
        defaultValue={task ? task.timeoutMs / 1000 : TIMEOUT_SECONDS.default}
        min={TIMEOUT_SECONDS.min}
        max={TIMEOUT_SECONDS.max}
        maw={320}
        autoComplete="on"
      />
    </FormDialog>
  )
}

function toBody(values: FormData) {
  return {
    promptName: readFormText(values, 'promptName'),
    timeout: Math.round(Number(readFormText(values, 'timeout')) * 1000),
    ...readScheduleFields(values),
  }
}

const FIELD_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  task_exists: 'name',
  prompt_not_found: 'promptName',
}

/** Shows errors about one field at that field, although the API does not name it. */
function assignToField(error: unknown): unknown {
  const path = error instanceof ApiError ? FIELD_BY_ERROR_CODE[error.code] : undefined
  if (!(error instanceof ApiError) || path === undefined) return error
  const { message, status, code, requestId, hint, cause } = error
  return new ApiError(message, {
    status,
    code,
    requestId,
    hint,
    cause,
    details: [{ path, message }],
  })
}
