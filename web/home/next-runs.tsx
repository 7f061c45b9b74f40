import type { ApiTask } from '../../src/http/shapes/tasks.ts'
import { Time } from '../ui/format/time.tsx'
import { TextLink, TitleLink } from '../ui/links.tsx'
import { RunStatusBadge } from '../tasks/run-status-badge.tsx'
import { useTasks } from '../tasks/queries.ts'
import { HomeSection } from './home-section.tsx'

const MAX_SHOWN = 3

export function NextRuns() {
  const { data } = useTasks()
  const next = (data?.tasks ?? [])
    .filter((task): task is ApiTask & { nextRunAt: string } => task.nextRunAt !== undefined)
    .toSorted((a, b) => Date.parse(a.nextRunAt) - Date.parse(b.nextRunAt))
    .slice(0, MAX_SHOWN)
  if (next.length === 0) return null
  return (
    <HomeSection
      id="next-runs"
      title="Scheduled tasks"
      more={
        <TextLink to="/tasks" size="sm">
          All tasks
        </TextLink>
      }
    >
      <ul className="plain-list home-rows">
        {next.map(({ name, nextRunAt, lastStatus }) => (
          <li key={name} className="home-row home-row-upcoming">
            <div className="home-row-main">
              <TitleLink to="/tasks/$name" params={{ name }} className="home-row-title">
                {name}
              </TitleLink>
              <p className="home-row-gist">
                Runs <Time at={nextRunAt} show="relative" />
              </p>
            </div>
            <div className="home-row-facts">
              {lastStatus === 'running' ? (
                <RunStatusBadge status="running" />
              ) : (
                <Time at={nextRunAt} show="near" />
              )}
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}
