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
        {isThis && <Badge variant="outline">Answers you</Badge>}
      </Group>
    ),
  },
  { header: 'State', cell: ({ isAlive }) => (isAlive ? 'alive' : 'silent') },
  { header: 'Last seen', cell: ({ beatAt }) => <Time at={beatAt} show="distance" /> },
  { header: 'Meetings', cell: ({ meetings, bots }) => `${meetings} of ${bots}` },
]

export function Nodes() {
  const query = useNodes()
  return (
    <Stack gap="md" component="section" aria-label="Nodes">
      <SectionHeader
        title="Nodes"
        about="Processes of this Hansard on its database. What one that falls silent held is taken over by another."
      />
      <QueryView query={query} what="the nodes">
        {({ nodes }) => (
          <DataTable
            caption="Nodes"
            rows={nodes}
            columns={COLUMNS}
            menuOf={({ id }) => ({ name: id, id })}
          />
        )}
      </QueryView>
    </Stack>
  )
}
