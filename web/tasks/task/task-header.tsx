import { useNavigate } from '@tanstack/react-router'
import { Stack, Group, Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiTask } from '../../../src/http/shapes/tasks.ts'
import { useApi, useReload } from '../../api/use-api.tsx'
import { ModelNeeded, usePromptsWithoutModel } from '../model-needed.tsx'
import { TRIGGER_EVENT_LABELS } from '../schedule/describe-trigger.ts'
import { TaskDialog } from '../task-dialog.tsx'
import { useRunTask } from '../use-run-task.ts'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction, ActionButton } from '../../ui/forms.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { PageTitle } from '../../ui/layout.tsx'
import { BackLink, TextLink } from '../../ui/links.tsx'
import { Hint } from '../../ui/text.tsx'

/** Title and actions of a task. */
export function TaskHeader({
  task,
  onStatusMessage,
}: {
  task: ApiTask
  onStatusMessage: (note: string) => void
}) {
  const { name, isScheduled, trigger, enabled, promptName } = task
  const automation = isScheduled ? 'schedule' : 'trigger'
  const canPause = isScheduled || trigger !== undefined
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const runTask = useRunTask()
  const run = useAction(() => runTask(name))
  const toggle = useToggleSchedule(task, onStatusMessage)
  const needsModel = usePromptsWithoutModel().has(promptName)
  useShortcuts({ r: () => !needsModel && void run.run(), e: () => setOpen('edit') })
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 240px" miw={0}>
          <BackLink to="/tasks">Tasks</BackLink>
          <div className="break-anywhere">
            <PageTitle>{name}</PageTitle>
          </div>
          <Hint>
            Runs the prompt{' '}
            <TextLink to="/prompts/$" params={{ _splat: promptName }} inherit>
              {promptName}
            </TextLink>{' '}
            {howItRuns(task)}
            {canPause && !enabled && ' (paused)'}.
            {task.project !== undefined && ` Project ${task.project}.`}
          </Hint>
        </Stack>
        <Group gap="xs">
          {!needsModel && <ActionButton action={run}>Run now</ActionButton>}
          {canPause && (
            <ActionButton variant="default" action={toggle}>
              {enabled ? `Pause ${automation}` : `Resume ${automation}`}
            </ActionButton>
          )}
          <Button variant="default" onClick={() => setOpen('edit')}>
            Edit
          </Button>
          <Button variant="default" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        </Group>
      </Group>
      {needsModel && <ModelNeeded what="The prompt of this task" />}
      <ErrorBox error={run.error} />
      <ErrorBox error={toggle.error} />
      {open === 'edit' && (
        <TaskDialog
          task={task}
          onClose={() => setOpen(null)}
          onSaved={() => onStatusMessage('Saved')}
        />
      )}
      {open === 'delete' && <DeleteTaskDialog name={name} onClose={() => setOpen(null)} />}
    </Stack>
  )
}

function howItRuns({ isScheduled, trigger }: ApiTask): string {
  if (trigger === undefined) return isScheduled ? 'on a schedule' : 'on demand'
  const event = TRIGGER_EVENT_LABELS[trigger.on].toLowerCase()
  return isScheduled ? `on a schedule and ${event}` : event
}

function useToggleSchedule(
  { name, enabled, isScheduled }: ApiTask,
  onStatusMessage: (note: string) => void,
) {
  const api = useApi()
  const refresh = useReload('tasks')
  return useAction(async () => {
    await (enabled ? api.tasks.disable(name) : api.tasks.enable(name))
    await refresh()
    const automation = isScheduled ? 'Schedule' : 'Trigger'
    onStatusMessage(enabled ? `${automation} paused` : `${automation} resumed`)
  })
}

function DeleteTaskDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={`Delete task “${name}”?`}
      confirmLabel="Delete task and history"
      onClose={onClose}
      onConfirm={async (api) => {
        await api.tasks.remove(name)
        await navigate({ to: '/tasks' })
      }}
      reloads={['tasks']}
    >
      This deletes its schedule and run history and stops a run in progress. Saved documents and
      usage totals are kept.
    </ConfirmDialog>
  )
}
