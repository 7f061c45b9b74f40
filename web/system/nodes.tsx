import { Badge, Group, Stack } from '@mantine/core'
import type { WireNodes } from '../../src/http/shapes/system.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { Time } from '../ui/time.tsx'
import { useNodes } from './queries.ts'

type Node = WireNodes['nodes'][number]

const COLUMNS: [Column<Node>, ...Column<Node>[]] = [
  {
    head: 'Node',
    cell: ({ id, isThis }) => (
      <Group gap="xs">
        <span>{id}</span>
        {isThis && <Badge variant="outline">Answers you</Badge>}
      </Group>
    ),
  },
  { head: 'State', cell: ({ isAlive }) => (isAlive ? 'alive' : 'silent') },
  { head: 'Last seen', cell: ({ beatAt }) => <Time at={beatAt} show="distance" /> },
  { head: 'Meetings', cell: ({ meetings, bots }) => `${meetings} of ${bots}` },
]

export function Nodes() {
  const query = useNodes()
  return (
    <Stack gap="md" component="section" aria-label="Nodes">
      <SectionHead
        title="Nodes"
        about="Processes of this Hansard on its database. What one that falls silent held is taken over by another."
      />
      <Loaded query={query} what="the nodes">
        {({ nodes }) => (
          <DataTable
            caption="Nodes"
            rows={nodes}
            columns={COLUMNS}
            menuOf={({ id }) => ({ name: id, id })}
          />
        )}
      </Loaded>
    </Stack>
  )
}
