import { Text } from '@mantine/core'
import type { WireExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { DataTable, type Column } from '../../ui/tables/data-table.tsx'
import { TextLink } from '../../ui/links.tsx'
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

type Row = WireExecutionWithSummary & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Started',
    cell: ({ executionId, startedAt }) => (
      <TextLink to="/runs/$executionId" params={{ executionId }}>
        <Time at={startedAt} show="minute" />
      </TextLink>
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
  },
  {
    header: 'Duration',
    cell: ({ durationMs }) => (
      <span className="figures one-line">
        {durationMs === undefined ? '–' : formatDuration(durationMs)}
      </span>
    ),
  },
  {
    header: 'Tokens in / out',
    cell: (row) => <span className="figures one-line">{formatRunTokens(row)}</span>,
  },
  { header: 'Cost', cell: (row) => <span className="figures">{formatRunCost(row)}</span> },
  { header: 'Trigger', cell: (row) => <TriggerCell execution={row} /> },
  {
    header: 'Result',
    cell: ({ resultSummary }) => (
      <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">
        {resultSummary === undefined ? '–' : stripMarkdown(resultSummary)}
      </Text>
    ),
  },
]

export function RunTable({ executions }: { executions: WireExecutionWithSummary[] }) {
  const rows = executions.map((execution) => ({ ...execution, id: execution.executionId }))
  return (
    <DataTable
      caption="Runs, newest first"
      rows={rows}
      columns={COLUMNS}
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
  execution: WireExecutionWithSummary
}) {
  return (
    <Text size="sm">
      {RUN_TRIGGER_LABELS[triggerType]}
      {missed !== undefined && `, ${missed} missed runs before`}
    </Text>
  )
}
