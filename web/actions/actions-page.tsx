import { Stack, Text, Title, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import './actions.css'
import type { ApiListedAction } from '../../src/http/shapes/meetings/actions.ts'
import type { ActionItemState } from '../../src/http/shapes/values.ts'
import { useSignedInUser } from '../api/use-api.tsx'
import { CitedMeeting } from '../meetings/cited-lines.tsx'
import { EmptyState, QueryView } from '../ui/feedback/feedback.tsx'
import { formatLocalDay, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { Name, TextLink } from '../ui/links.tsx'
import { PageTitle, FilterRow } from '../ui/layout.tsx'
import { LoadMoreButton } from '../ui/tables/data-table.tsx'
import { type ActionFilter, parseActionFilter } from './action-filter.ts'
import { ActionItem } from './action-item.tsx'
import { groupActions } from './group-actions.ts'
import { useActionList } from './queries.ts'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { useDebouncedUrlField } from '../ui/forms.tsx'
import { toOptions, FilterSelect } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/actions')

/** The action items of all meetings. */
export function ActionsPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const query = useActionList(filter)
  return (
    <Stack gap="lg" maw={900}>
      <Stack gap={4}>
        <PageTitle>Actions</PageTitle>
        <Text c="dimmed">What people agreed to do in meetings, by due date.</Text>
      </Stack>
      <ActionFilterFields
        filter={filter}
        onChangedFields={(change) =>
          void navigate({ search: (current) => ({ ...current, ...change }), replace: true })
        }
      />
      <QueryView query={query} label="the action items">
        {({ pages }) => {
          const actions = pages.flatMap((page) => page.actions)
          if (actions.length === 0) return <NoActions filter={filter} />
          return <ActionGroups actions={actions} filter={filter} />
        }}
      </QueryView>
      <LoadMoreButton query={query}>Load more</LoadMoreButton>
    </Stack>
  )
}

interface ActionListProps {
  actions: ApiListedAction[]
  filter: ActionFilter
}

function ActionGroups({ actions, filter }: ActionListProps) {
  const today = formatLocalDay(new Date(useNowEvery30Seconds()))
  if (filter.group === undefined) return <ActionList actions={actions} filter={filter} />
  return (
    <Stack gap="xl">
      {groupActions(actions, filter.group, today).map((group) => (
        <section key={group.title} aria-label={group.title}>
          <Title order={2} size="h4" className="break-anywhere" mb="sm">
            <Name>{group.title}</Name>
          </Title>
          <ActionList actions={group.actions} filter={filter} />
        </section>
      ))}
    </Stack>
  )
}

function ActionList({ actions, filter }: ActionListProps) {
  const ownerNames = [...new Set(actions.flatMap(({ owner }) => owner ?? []))].toSorted()
  return (
    <ul className="plain-list action-list">
      {actions.map((action) => (
        <ActionItem
          key={action.actionId}
          action={action}
          project={action.project}
          ownerNames={ownerNames}
          citation={
            <>
              <CitedMeeting {...action} />
              {filter.group !== 'project' && (
                <span className="break-anywhere">project {action.project}</span>
              )}
            </>
          }
        />
      ))}
    </ul>
  )
}

const NONE_OF_MINE: Record<ActionItemState, string> = {
  open: 'You have no open action items',
  done: 'You have ticked no action items',
  deleted: 'You have no deleted action items',
}

function NoActions({ filter }: { filter: ActionFilter }) {
  const { name, email } = useSignedInUser()
  const isFiltered = Object.values({ ...filter, group: undefined }).some(Boolean)
  if (filter.mine === true && filter.owner === undefined && filter.project === undefined) {
    return (
      <EmptyState
        drawing="checklist"
        title={
          filter.overdue ? 'You have no overdue action items' : NONE_OF_MINE[filter.state ?? 'open']
        }
        action={<TextLink to="/actions">Show all open action items</TextLink>}
      >
        Yours are those whose owner is <bdi>{name}</bdi> or {email}. If a meeting has you under
        another name, edit the owner of the item, or change your name under Account.
      </EmptyState>
    )
  }
  if (isFiltered) {
    return (
      <EmptyState
        drawing="search"
        title="No action items match these filters"
        action={<TextLink to="/actions">Show all open action items</TextLink>}
      />
    )
  }
  return (
    <EmptyState
      drawing="checklist"
      title="No open action items"
      action={<TextLink to="/meetings">Go to meetings</TextLink>}
    >
      When a meeting ends, Hansard writes a recap. What people agreed to do, such as “Ben will fix
      the search page by Wednesday”, appears here until you tick it off.
    </EmptyState>
  )
}

/** The states of an action item, in the order of the filter. */
const ACTION_STATE_LABELS: Record<ActionItemState, string> = {
  open: 'Open',
  done: 'Done',
  deleted: 'Deleted',
}

const TICKS = [
  ['mine', 'Mine'],
  ['overdue', 'Overdue only'],
] as const
const GROUP_LABELS = { project: 'Project', person: 'Person', week: 'Week' }

interface ActionFilterFieldsProps {
  filter: ActionFilter
  onChangedFields: (change: ActionFilter) => void
}

/** The filters are stored in the URL, so that a list can be shared as a link. */
function ActionFilterFields({ filter, onChangedFields }: ActionFilterFieldsProps) {
  const [owner, setOwner] = useDebouncedUrlField(filter.owner ?? '', (text) =>
    onChangedFields({ owner: text || undefined }),
  )
  // Grouping leaves nothing out.
  const { group, ...limits } = filter
  return (
    <FilterRow filter={limits}>
      <NativeSelect
        label="State"
        value={filter.state ?? 'open'}
        data={toOptions(ACTION_STATE_LABELS)}
        onChange={(event) =>
          onChangedFields({ state: parseActionFilter({ state: event.currentTarget.value }).state })
        }
      />
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <TextInput
        label="Owner"
        className="filter-wide"
        value={owner}
        onChange={(event) => setOwner(event.currentTarget.value)}
      />
      <FilterSelect
        label="Group by"
        all="Nothing"
        value={group}
        options={toOptions(GROUP_LABELS)}
        onChange={(chosen) =>
          onChangedFields({ group: parseActionFilter({ group: chosen }).group })
        }
      />
      <div className="filter-ticks">
        {TICKS.map(([name, label]) => (
          <Checkbox
            key={name}
            label={label}
            checked={filter[name] === true}
            onChange={(event) =>
              onChangedFields({ [name]: event.currentTarget.checked || undefined })
            }
          />
        ))}
      </div>
    </FilterRow>
  )
}
