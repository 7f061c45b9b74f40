import { Text } from '@mantine/core'
import type { WireExecution } from '../../src/http/shapes/tasks.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { TextLink } from '../ui/links.tsx'
import { Time } from '../ui/time.tsx'
import { ExecutionBadge } from './execution-badge.tsx'
import { cost, duration, isWaiting, plain, tokens, TRIGGERS } from './words.ts'

type Row = WireExecution & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    head: 'Started',
    cell: ({ executionId, startedAt }) => (
      <TextLink to="/runs/$executionId" params={{ executionId }}>
        <Time at={startedAt} show="minute" />
      </TextLink>
    ),
  },
  {
    head: 'State',
    cell: (row) => <ExecutionBadge status={row.status} isWaiting={isWaiting(row)} />,
  },
  {
    head: 'Took',
    cell: ({ durationMs }) => (
      <span className="figures one-line">
        {durationMs === undefined ? '–' : duration(durationMs)}
      </span>
    ),
  },
  {
    head: 'Tokens in / out',
    cell: (row) => <span className="figures one-line">{tokens(row)}</span>,
  },
  { head: 'Cost', cell: (row) => <span className="figures">{cost(row)}</span> },
  { head: 'Begun', cell: (row) => <Why execution={row} /> },
  {
    head: 'Result',
    cell: ({ resultSummary }) => (
      <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">
        {resultSummary === undefined ? '–' : plain(resultSummary)}
      </Text>
    ),
  },
]

export function HistoryTable({ executions }: { executions: WireExecution[] }) {
  const rows = executions.map((execution) => ({ ...execution, id: execution.executionId }))
  return (
    <DataTable
      caption="Runs, newest first"
      rows={rows}
      columns={COLUMNS}
      menuOf={({ id, startedAt }) => ({
        id,
        name: `the run of ${startedAt}`,
        path: `/executions/${id}`,
      })}
    />
  )
}

function Why({ execution: { triggerType, missed } }: { execution: WireExecution }) {
  return (
    <Text size="sm">
      {TRIGGERS[triggerType]}
      {missed !== undefined && `, ${missed} missed before it`}
    </Text>
  )
}
