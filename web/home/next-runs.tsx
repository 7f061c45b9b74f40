import { Group, Stack, Title } from '@mantine/core'
import type { WireTask } from '../../src/http/shapes/tasks.ts'
import { TextLink } from '../ui/links.tsx'
import { Time } from '../ui/format/time.tsx'
import { RunStatusBadge } from '../tasks/run-status-badge.tsx'
import { useTasks } from '../tasks/queries.ts'

const MAX_SHOWN = 5

/** The next scheduled task runs. */
export function NextRuns() {
  const { data } = useTasks()
  const next = (data?.tasks ?? [])
    .filter((task): task is WireTask & { nextRunAt: string } => task.nextRunAt !== undefined)
    .toSorted((a, b) => Date.parse(a.nextRunAt) - Date.parse(b.nextRunAt))
    .slice(0, MAX_SHOWN)
  if (next.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-labelledby="next-runs">
      <Title order={2} id="next-runs">
        Next runs
      </Title>
      <ul className="plain-list attention-list">
        {next.map(({ name, nextRunAt, lastStatus }) => (
          <li key={name}>
            <Group gap="xs">
              <TextLink to="/tasks/$name" params={{ name }} className="break-anywhere">
                {name}
              </TextLink>
              <span>
                <Time at={nextRunAt} show="minute" /> (<Time at={nextRunAt} show="relative" />)
              </span>
              {lastStatus === 'running' && <RunStatusBadge status="running" />}
            </Group>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
