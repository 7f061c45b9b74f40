import '../tasks/tasks.css'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WireTask } from '../../src/http/shapes/tasks.ts'
import { NoTasks } from '../tasks/no-tasks.tsx'
import { useFigures, useTasks } from '../tasks/queries.ts'
import { useRunTask } from '../tasks/run-task.ts'
import { TaskDialog } from '../tasks/task-dialog.tsx'
import { TaskTable } from '../tasks/task-table.tsx'
import { AllUsage } from '../tasks/usage.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Pages } from '../ui/pages.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { toPage } from '../ui/to-page.ts'
import { useAction } from '../ui/use-action.ts'
import { useKeys } from '../ui/use-keys.ts'

const route = getRouteApi('/inside/tasks')

/** As many as the small charts can be asked for at once. */
const SHOWN = 50
/** Fewer can be looked over. */
const WORTH_FILTERING = 10

export function TasksPage() {
  const query = useTasks()
  const navigate = useNavigate()
  const [making, setMaking] = useState<{ promptName?: string } | null>(null)
  useKeys({ n: () => setMaking({}) })
  return (
    <Stack gap="lg" maw={1200}>
      <Group justify="space-between" gap="sm">
        <PageTitle>Tasks</PageTitle>
        <Button onClick={() => setMaking({})}>New task</Button>
      </Group>
      <AllUsage />
      <Loaded query={query} what="the tasks">
        {({ tasks }) =>
          tasks.length === 0 ? (
            <NoTasks onSchedule={(promptName) => setMaking({ promptName })} />
          ) : (
            <TaskList tasks={tasks} />
          )
        }
      </Loaded>
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

function TaskList({ tasks }: { tasks: WireTask[] }) {
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const found = tasks.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  const shown = found.slice((page - 1) * SHOWN, page * SHOWN)
  const figures = useFigures(shown.map(({ name }) => name))
  const run = useAction(useRunTask())
  const set = (search: { q?: string | undefined; page?: number | undefined }) =>
    void navigate({ search, replace: true })
  return (
    <Stack gap="md">
      {tasks.length > WORTH_FILTERING && (
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
        <Text>No task fits this filter.</Text>
      ) : (
        <TaskTable tasks={shown} figures={figures} onRun={(name) => void run.run(name)} />
      )}
      <Pages
        page={page}
        size={SHOWN}
        total={found.length}
        onPage={(next) => set({ q: q || undefined, page: toPage(next) })}
      />
    </Stack>
  )
}
