import { Badge, Group, Stack } from '@mantine/core'
import type { WireNodes } from '../../src/http/shapes/system.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { Time } from '../ui/format/time.tsx'
import { useNodes } from './queries.ts'

type NodeRow = WireNodes['nodes'][number]

const COLUMNS: [Column<NodeRow>, ...Column<NodeRow>[]] = [
  {
    header: 'Node',
    cell: ({ id, isThis }) => (
      <Group gap="xs">
        <span>{id}</span>
        {isThis && <Badge variant="outline">This node</Badge>}
      </Group>
    ),
  },
  { header: 'Status', cell: ({ isAlive }) => (isAlive ? 'online' : 'offline') },
  { header: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { header: 'Last seen', cell: ({ beatAt }) => <Time at={beatAt} show="ago" /> },
  {
    header: 'Meetings',
    cell: ({ meetings, bots, roles }) =>
      roles.includes('bots') ? `${meetings} of ${bots}` : 'none',
  },
]

export function Nodes() {
  const query = useNodes()
  return (
    <Stack gap="md" component="section" aria-label="Nodes">
      <SectionHeader
        title="Nodes"
        description="Hansard processes that share this database. If one stops responding, another with the same role takes over its work."
      />
      <QueryView query={query} label="the nodes">
        {({ nodes }) => (
          <DataTable
            caption="Nodes"
            rows={nodes}
            columns={COLUMNS}
            rowMenu={({ id }) => ({ rowName: id, id })}
          />
        )}
      </QueryView>
    </Stack>
  )
}
