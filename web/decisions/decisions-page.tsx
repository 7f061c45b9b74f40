import { getRouteApi } from '@tanstack/react-router'
import { Stack, Text, Group, Title, TextInput } from '@mantine/core'
import './decisions.css'
import type { ApiListedDecision } from '../../src/http/shapes/meetings/recap-items.ts'
import { EmptyState, QueryView } from '../ui/feedback/feedback.tsx'
import { Name, TextLink, TitleLink, meetingPage } from '../ui/links.tsx'
import { Time, formatLocalDay, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { PageTitle, FilterRow } from '../ui/layout.tsx'
import { LoadMoreButton } from '../ui/tables/data-table.tsx'
import type { DecisionFilter } from './decision-filter.ts'
import { DecisionItem, listSpeakers } from './decision-item.tsx'
import { useDecisionList } from './queries.ts'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { addDays, formatWeek, mondayOf } from '../ui/format/weeks.ts'
import { useDebouncedUrlField } from '../ui/forms.tsx'
import { FilterSelect } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/decisions')

/** The decisions of all meetings. */
export function DecisionsPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const query = useDecisionList(filter)
  return (
    <Stack gap="lg" maw={900}>
      <Stack gap={4}>
        <PageTitle>Decisions</PageTitle>
        <Text c="dimmed">What was decided in meetings, newest first.</Text>
      </Stack>
      <DecisionFilterFields
        filter={filter}
        onChangedFields={(change) =>
          void navigate({ search: (current) => ({ ...current, ...change }), replace: true })
        }
      />
      <QueryView query={query} label="the decisions">
        {({ pages }) => {
          const decisions = pages.flatMap((page) => page.decisions)
          if (decisions.length === 0) return <NoDecisions filter={filter} />
          return <DecisionsByMeeting decisions={decisions} />
        }}
      </QueryView>
      <LoadMoreButton query={query}>Load more</LoadMoreButton>
    </Stack>
  )
}

function DecisionsByMeeting({ decisions }: { decisions: ApiListedDecision[] }) {
  const names = listSpeakers(decisions)
  const groups = [...Map.groupBy(decisions, ({ meetingId }) => meetingId)]
  return (
    <Stack gap="xl">
      {groups.map(
        ([meetingId, [first, ...others]]) =>
          first && (
            <section key={meetingId} aria-label={first.meetingTitle}>
              <MeetingHeading decision={first} />
              <ul className="plain-list decision-list" tabIndex={-1}>
                {[first, ...others].map((decision) => (
                  <DecisionItem key={decision.id} decision={decision} names={names} />
                ))}
              </ul>
            </section>
          ),
      )}
    </Stack>
  )
}

function MeetingHeading({ decision }: { decision: ApiListedDecision }) {
  const { meetingId, meetingTitle, project, meetingStartedAt } = decision
  return (
    <Group gap="xs" align="baseline" mb="sm">
      <Title order={2} size="h4" className="break-anywhere">
        <TitleLink {...meetingPage(meetingId)}>
          <Name>{meetingTitle}</Name>
        </TitleLink>
      </Title>
      <Text span size="sm" c="dimmed" className="break-anywhere">
        project {project} · <Time at={meetingStartedAt} show="day" />
      </Text>
    </Group>
  )
}

function NoDecisions({ filter }: { filter: DecisionFilter }) {
  if (Object.values(filter).some(Boolean)) {
    return (
      <EmptyState
        drawing="search"
        title="No decisions match these filters"
        action={<TextLink to="/decisions">Show all decisions</TextLink>}
      />
    )
  }
  return (
    <EmptyState
      drawing="checklist"
      title="No decisions yet"
      action={<TextLink to="/meetings">Go to meetings</TextLink>}
    >
      When a meeting ends, Hansard writes a recap. What was decided, such as “We ship on Friday”,
      appears here. In a transcript, press d on a line to add it to the decisions.
    </EmptyState>
  )
}

/** How many weeks the field offers, this one first. */
const WEEKS = 12

interface DecisionFilterFieldsProps {
  filter: DecisionFilter
  onChangedFields: (change: DecisionFilter) => void
}

/** The filters are stored in the URL, so that a list can be shared as a link. */
function DecisionFilterFields({ filter, onChangedFields }: DecisionFilterFieldsProps) {
  const [person, setPerson] = useDebouncedUrlField(filter.person ?? '', (text) =>
    onChangedFields({ person: text || undefined }),
  )
  return (
    <FilterRow filter={filter}>
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <WeekField week={filter.week} onChange={(week) => onChangedFields({ week })} />
      <TextInput
        label="Person"
        className="filter-wide"
        value={person}
        onChange={(event) => setPerson(event.currentTarget.value)}
      />
    </FilterRow>
  )
}

interface WeekFieldProps {
  week: string | undefined
  onChange: (week: string | undefined) => void
}

function WeekField({ week, onChange }: WeekFieldProps) {
  const today = formatLocalDay(new Date(useNowEvery30Seconds()))
  const recent = Array.from({ length: WEEKS }, (_, i) => addDays(mondayOf(today), -7 * i))
  // A link may name an older week.
  const weeks = week === undefined || recent.includes(week) ? recent : [...recent, week]
  return (
    <FilterSelect
      label="Week"
      value={week}
      options={weeks.map((value) => ({ value, label: formatWeek(value, today) }))}
      onChange={onChange}
    />
  )
}
