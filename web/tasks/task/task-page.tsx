import '../tasks.css'
import { Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiTask } from '../../../src/http/shapes/tasks.ts'
import { RunTable } from './run-table.tsx'
import { LoadFailedHeader } from './load-failed-header.tsx'
import { RUNS_PER_PAGE, useTask, useTaskHistory } from '../queries.ts'
import { describeTrigger } from '../schedule/describe-trigger.ts'
import { ValidSchedulePreview } from '../schedule/schedule-preview.tsx'
import { TaskCharts } from './task-charts.tsx'
import { TaskHeader } from './task-header.tsx'
import { TaskTokenUsage } from '../usage-summary.tsx'
import { formatDuration, SKIP_REASON_LABELS } from '../task-labels.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { NotFoundNotice, QueryView, StatusMessage } from '../../ui/feedback/feedback.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Pagination } from '../../ui/tables/pages.tsx'
import { Time } from '../../ui/format/time.tsx'
import { parsePageNumberAboveOne } from '../../api/url-parameters.ts'

const route = getRouteApi('/signed-in/tasks/$name')

export function TaskPage() {
  const { name } = route.useParams()
  const query = useTask(name)
  return (
    <Stack key={name} gap="md">
      <QueryView
        query={query}
        label="the task"
        fallbackHeader={<LoadFailedHeader title="Task" />}
        notFound={
          <NotFoundNotice what="Task">
            <ButtonLink to="/tasks">Go to tasks</ButtonLink>
          </NotFoundNotice>
        }
      >
        {({ task }) => <TaskContent task={task} />}
      </QueryView>
    </Stack>
  )
}

function TaskContent({ task }: { task: ApiTask }) {
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg" maw={1200}>
      <TaskHeader task={task} onStatusMessage={setNote} />
      <StatusMessage>{note}</StatusMessage>
      <ScheduleSection task={task} />
      <RunsSection name={task.name} />
      <Group gap="xs">
        <CopyButton text={task.name} what="name" showsLabel />
        <CopyButton
          text={`curl -X POST -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/tasks/${task.name}/run`}
          what="run as curl"
          showsLabel
        />
      </Group>
    </Stack>
  )
}

function ScheduleSection({ task }: { task: ApiTask }) {
  const { cronExpression, trigger, timezone, enabled, timeoutMs } = task
  const { lastSkippedAt, lastSkipReason } = task
  return (
    <Stack gap="sm" maw={640} component="section" aria-labelledby="schedule">
      <Title order={2} id="schedule">
        Schedule
      </Title>
      {cronExpression === undefined ? (
        <Text>No schedule. This task runs on demand{trigger === undefined && ' only'}.</Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" className="break-anywhere">
            <code>{cronExpression}</code> in {timezone}
            {!enabled && '. Paused: no scheduled runs until you resume it.'}
          </Text>
          {enabled && <ValidSchedulePreview expression={cronExpression} zone={timezone} />}
        </>
      )}
      {trigger !== undefined && (
        <Text size="sm" className="break-anywhere">
          {describeTrigger(trigger)}.{!enabled && ' Paused.'}
        </Text>
      )}
      <Text size="sm">Timeout: {formatDuration(timeoutMs)}.</Text>
      {lastSkippedAt !== undefined && lastSkipReason !== undefined && (
        <div className="notice" role="note">
          <Text size="sm">
            The run due <Time at={lastSkippedAt} show="minute" /> was skipped because{' '}
            {SKIP_REASON_LABELS[lastSkipReason]}.
          </Text>
        </div>
      )}
    </Stack>
  )
}

function RunsSection({ name }: { name: string }) {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useTaskHistory(name, page)
  const newest = useTaskHistory(name, 1)
  return (
    <Stack gap="md" component="section" aria-labelledby="history">
      <Title order={2} id="history">
        Runs
      </Title>
      <TaskTokenUsage name={name} />
      <TaskCharts executions={newest.data?.executions ?? []} />
      <QueryView query={query} label="the runs">
        {({ executions, total }) => (
          <>
            {executions.length === 0 ? (
              <EmptyState
                drawing="clock"
                title={total === 0 ? 'No runs yet' : 'No runs on this page'}
              />
            ) : (
              <RunTable executions={executions} />
            )}
            <Pagination
              page={page}
              pageSize={RUNS_PER_PAGE}
              total={total}
              onPage={(next) =>
                void navigate({ search: { page: parsePageNumberAboveOne(next) }, replace: true })
              }
            />
          </>
        )}
      </QueryView>
    </Stack>
  )
}
