import './tasks.css'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiTask } from '../../src/http/shapes/tasks.ts'
import { NoTasks } from './no-tasks.tsx'
import { useTaskFiguresByName, useTasks } from './queries.ts'
import { useRunTask } from './use-run-task.ts'
import { TaskDialog } from './task-dialog.tsx'
import { TaskTable } from './task-table.tsx'
import { TotalTokenUsage } from './usage-summary.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { ErrorBox, QueryView } from '../ui/feedback/feedback.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Pagination } from '../ui/tables/pages.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { parsePageNumberAboveOne } from '../api/url-parameters.ts'
import { useAction } from '../ui/forms/form.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'

const route = getRouteApi('/signed-in/tasks')

/** The API returns figures for at most 50 tasks per request. */
const PAGE_SIZE = 50
/** With fewer tasks than this, the page shows no filter field. */
const MIN_TASKS_FOR_FILTER = 10

export function TasksPage() {
  const query = useTasks()
  const navigate = useNavigate()
  const [making, setMaking] = useState<{ promptName?: string } | null>(null)
  useShortcuts({ n: () => setMaking({}) })
  return (
    <Stack gap="lg" maw={1200}>
      <Group justify="space-between" gap="sm">
        <PageTitle>Tasks</PageTitle>
        <Group gap="xs">
          <ButtonLink to="/prompts" variant="default">
            Prompts
          </ButtonLink>
          <Button onClick={() => setMaking({})}>New task</Button>
        </Group>
      </Group>
      <TotalTokenUsage />
      <QueryView query={query} label="the tasks">
        {({ tasks }) =>
          tasks.length === 0 ? (
            <NoTasks onSchedule={(promptName) => setMaking({ promptName })} />
          ) : (
            <TaskList tasks={tasks} />
          )
        }
      </QueryView>
      {making && (
        <TaskDialog
          {...making}
          onClose={() => setMaking(null)}
          onSaved={({ name }) => void navigate({ to: '/tasks/$name', params: { name } })}
        />
      )}
    </Stack>
  )
}

function TaskList({ tasks }: { tasks: ApiTask[] }) {
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const found = tasks.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const figures = useTaskFiguresByName(shown.map(({ name }) => name))
  const run = useAction(useRunTask())
  const set = (search: { q?: string | undefined; page?: number | undefined }) =>
    void navigate({ search, replace: true })
  return (
    <Stack gap="md">
      {tasks.length > MIN_TASKS_FOR_FILTER && (
        <TextInput
          label="Name contains"
          maw={320}
          value={q}
          onChange={(event) => set({ q: event.currentTarget.value || undefined })}
        />
      )}
      {run.error ? <ErrorBox error={run.error} /> : null}
      <div role="status">{run.isRunning && 'Starting the run…'}</div>
      {found.length === 0 ? (
        <EmptyState drawing="search" title="No tasks match this filter" />
      ) : (
        <TaskTable tasks={shown} figures={figures} onRun={(name) => void run.run(name)} />
      )}
      <Pagination
        page={page}
        pageSize={PAGE_SIZE}
        total={found.length}
        onPage={(next) => set({ q: q || undefined, page: parsePageNumberAboveOne(next) })}
      />
    </Stack>
  )
}
