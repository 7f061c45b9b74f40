import { Text } from '@mantine/core'
import type { ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { DataTable, type Column } from '../../ui/tables/data-table.tsx'
import { TitleLink } from '../../ui/links.tsx'
import { Time } from '../../ui/format/time.tsx'
import { RunStatusBadge } from '../run-status-badge.tsx'
import {
  formatRunCost,
  formatDuration,
  isRunQueued,
  stripMarkdown,
  formatRunTokens,
  RUN_TRIGGER_LABELS,
} from '../task-labels.ts'

type Row = ApiExecutionWithSummary & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Started',
    cell: ({ executionId, startedAt }) => (
      <TitleLink to="/runs/$executionId" params={{ executionId }}>
        <Time at={startedAt} show="minute" />
      </TitleLink>
    ),
  },
  {
    header: 'Status',
    cell: (row) => (
      <RunStatusBadge
        status={row.status}
        cancelled={row.cancelled}
        truncatedBy={row.truncatedBy}
        isWaiting={isRunQueued(row)}
      />
    ),
    isShort: true,
    card: 'badge',
  },
  {
    header: 'Duration',
    cell: ({ durationMs }) => (
      <span className="figures">{durationMs === undefined ? '–' : formatDuration(durationMs)}</span>
    ),
    isShort: true,
    card: 'line',
  },
  {
    header: 'Trigger',
    cell: (row) => <TriggerCell execution={row} />,
    isShort: true,
    priority: 'middle',
    card: 'line',
  },
  {
    header: 'Tokens in / out',
    cell: (row) => <span className="figures">{formatRunTokens(row)}</span>,
    isShort: true,
    priority: 'low',
  },
  {
    header: 'Cost',
    cell: (row) => <span className="figures">{formatRunCost(row)}</span>,
    isShort: true,
    priority: 'low',
  },
]

export function RunTable({ executions }: { executions: ApiExecutionWithSummary[] }) {
  const rows = executions.map((execution) => ({ ...execution, id: execution.executionId }))
  return (
    <DataTable
      caption="Runs, newest first"
      rows={rows}
      columns={COLUMNS}
      renderDetail={(row) => <ResultLine execution={row} />}
      rowMenu={({ id, startedAt }) => ({
        id,
        rowName: `run of ${startedAt}`,
        curlApiPath: `/executions/${id}`,
      })}
    />
  )
}

function TriggerCell({
  execution: { triggerType, missed },
}: {
  execution: ApiExecutionWithSummary
}) {
  return (
    <Text size="sm">
      {RUN_TRIGGER_LABELS[triggerType]}
      {missed !== undefined && `, ${missed} missed runs before`}
    </Text>
  )
}

/** The beginning of the result, on one line. */
function ResultLine({ execution: { resultSummary } }: { execution: ApiExecutionWithSummary }) {
  if (resultSummary === undefined) return null
  return (
    <Text size="sm" lineClamp={1} dir="auto">
      {stripMarkdown(resultSummary)}
    </Text>
  )
}
