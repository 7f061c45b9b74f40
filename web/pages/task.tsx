import '../tasks/tasks.css'
import { Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { WireTask } from '../../src/http/shapes/tasks.ts'
import { HistoryTable } from '../tasks/history-table.tsx'
import { NotThere } from '../tasks/not-there.tsx'
import { PAGE_SIZE, useTask, useTaskHistory } from '../tasks/queries.ts'
import { SchedulePreview } from '../tasks/schedule-preview.tsx'
import { TaskCharts } from '../tasks/task-charts.tsx'
import { TaskHead } from '../tasks/task-head.tsx'
import { TaskUsage } from '../tasks/usage.tsx'
import { duration, SKIPS } from '../tasks/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Pages } from '../ui/pages.tsx'
import { SavedNote } from '../ui/saved-note.tsx'
import { Time } from '../ui/time.tsx'
import { toPage } from '../ui/to-page.ts'

const route = getRouteApi('/inside/tasks/$name')

export function TaskPage() {
  const { name } = route.useParams()
  const query = useTask(name)
  return (
    <Stack key={name} gap="md">
      <Loaded query={query} what="the task" head={<NotThere title="Task" />}>
        {({ task }) => <Shown task={task} />}
      </Loaded>
    </Stack>
  )
}

function Shown({ task }: { task: WireTask }) {
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg" maw={1200}>
      <TaskHead task={task} onNote={setNote} />
      <SavedNote>{note}</SavedNote>
      <Schedule task={task} />
      <History name={task.name} />
      <Group gap="xs">
        <CopyButton text={task.name} what="name" isWordy />
        <CopyButton
          text={`curl -X POST -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/tasks/${task.name}/run`}
          what="run as curl"
          isWordy
        />
      </Group>
    </Stack>
  )
}

function Schedule({ task }: { task: WireTask }) {
  const { cronExpression, timezone, enabled, timeoutMs, lastSkippedAt, lastSkipReason } = task
  return (
    <Stack gap="sm" maw={640} component="section" aria-labelledby="schedule">
      <Title order={2} id="schedule">
        Schedule
      </Title>
      {cronExpression === undefined ? (
        <Text>None: it runs when somebody asks.</Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" className="break-anywhere">
            <code>{cronExpression}</code> in {timezone}
            {!enabled && '. It is paused: nothing runs by itself until it is resumed.'}
          </Text>
          {enabled && <SchedulePreview expression={cronExpression} zone={timezone} />}
        </>
      )}
      <Text size="sm">A run is stopped after {duration(timeoutMs)}.</Text>
      {lastSkippedAt !== undefined && lastSkipReason !== undefined && (
        <div className="why-box" role="note">
          <Text size="sm">
            A due time brought no run <Time at={lastSkippedAt} show="distance" />, because{' '}
            {SKIPS[lastSkipReason]}.
          </Text>
        </div>
      )}
    </Stack>
  )
}

function History({ name }: { name: string }) {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useTaskHistory(name, page)
  const newest = useTaskHistory(name, 1)
  return (
    <Stack gap="md" component="section" aria-labelledby="history">
      <Title order={2} id="history">
        Runs
      </Title>
      <TaskUsage name={name} />
      <TaskCharts executions={newest.data?.executions ?? []} />
      <Loaded query={query} what="the runs">
        {({ executions, total }) => (
          <>
            {executions.length === 0 ? (
              <Text>{total === 0 ? 'It has not run yet.' : 'There are no runs so far back.'}</Text>
            ) : (
              <HistoryTable executions={executions} />
            )}
            <Pages
              page={page}
              size={PAGE_SIZE}
              total={total}
              onPage={(next) => void navigate({ search: { page: toPage(next) }, replace: true })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
