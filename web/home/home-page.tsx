import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { Stack, Group, Text, Button, Card, Title } from '@mantine/core'
import './home.css'
import { useSignedInUser, useApi } from '../api/use-api.tsx'
import { LiveMeetings } from '../meetings/live-meetings.tsx'
import { useActiveMeetings, useMeetingList } from '../meetings/queries.ts'
import { HOME_TWO_COLUMNS_MEDIA_QUERY } from '../ui/breakpoints.ts'
import { EmptyState, ErrorBox, QueryView } from '../ui/feedback/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { GetStarted, PracticeButton, useStepsVisibility } from './get-started.tsx'
import { MyActions, NextMeetings, NextRuns } from './home-sections.tsx'
import { RecentMeetings } from './recent-meetings.tsx'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import { PageTitle } from '../ui/layout.tsx'
import type { ApiNotices } from '../../src/http/shapes/account.ts'
import { useAction, ActionButton } from '../ui/forms.tsx'

export function HomePage() {
  const user = useSignedInUser()
  const active = useActiveMeetings()
  const history = useMeetingList({ begun: 'true' })
  const visibility = useStepsVisibility()
  const hasTwoColumns = useMediaQuery(HOME_TWO_COLUMNS_MEDIA_QUERY, false, {
    getInitialValueInEffect: false,
  })
  const meetings = history.data?.pages[0]?.meetings ?? []
  const isNew = history.data !== undefined && meetings.length === 0
  const steps = visibility.isShown && (
    <GetStarted meetings={meetings} onHide={() => visibility.setHidden(true)} />
  )
  return (
    <Stack gap="xl" maw={1200}>
      <Greeting isNew={isNew} />
      {user.role === 'admin' && <PrivateProjectsNotice />}
      {visibility.wasHidden && !visibility.isShown && (
        <HiddenListNote onUndo={() => visibility.setHidden(false)} />
      )}
      <ErrorBox error={visibility.error} />
      <LiveMeetings meetings={active.data?.meetings ?? []} />
      <NeedsAttention />
      {isNew && steps}
      <QueryView query={history} label="your meetings">
        {() => (
          <div className="home-columns">
            <div className="home-column">
              {isNew && visibility.isLoaded && !visibility.isShown && <NoMeetings />}
              <RecentMeetings
                history={history}
                beforeYesterday={hasTwoColumns ? null : <NextMeetings />}
              />
            </div>
            <div className="home-column">
              {hasTwoColumns && <NextMeetings />}
              <MyActions />
              <NextRuns />
            </div>
          </div>
        )}
      </QueryView>
      {!isNew && history.data !== undefined && steps}
    </Stack>
  )
}

function NoMeetings() {
  return (
    <EmptyState
      drawing="talk"
      title="No meetings yet"
      action={
        <Group gap="sm" justify="center">
          <ButtonLink to="/meetings">Add a meeting</ButtonLink>
          <PracticeButton isPrimary={false} />
        </Group>
      }
    >
      Paste the link of a meeting, or try Hansard with a practice meeting first.
    </EmptyState>
  )
}

/** Says where the hidden list of first steps is. Takes the focus, because the button that hid the list is gone. */
function HiddenListNote({ onUndo }: { onUndo: () => void }) {
  return (
    <Group gap="sm" role="status">
      <Text size="sm">The list is hidden. You can bring it back under Account.</Text>
      <Button
        variant="default"
        size="compact-sm"
        autoFocus
        onClick={() => {
          document.getElementById('main')?.focus()
          onUndo()
        }}
      >
        Undo
      </Button>
    </Group>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

/** The heading of the home page. */
function Greeting({ isNew }: { isNew: boolean }) {
  const { name } = useSignedInUser()
  const now = useNowEvery30Seconds()
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div className="home-greeting">
        <PageTitle tabTitle="Home">
          {`${isNew ? 'Welcome' : greetingAt(new Date(now))}, ${shortName(name)}`}
        </PageTitle>
        <Text c="dimmed" maw={560}>
          {isNew
            ? 'Hansard joins your meetings and writes down what was said, what was decided and who does what.'
            : dayFormat.format(now)}
        </Text>
      </div>
      {!isNew && <ButtonLink to="/meetings">Add a meeting</ButtonLink>}
    </Group>
  )
}

function greetingAt(time: Date): string {
  const hour = time.getHours()
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

/** The first name, or the whole name if the first word may be the family name. */
function shortName(name: string): string {
  return name.includes(',') ? name : (name.trim().split(/\s+/, 1)[0] ?? name)
}

const NOTICES_KEY = ['notices']

/** Tells an admin once, after the upgrade, that projects can be private. */
function PrivateProjectsNotice() {
  const api = useApi()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: NOTICES_KEY,
    queryFn: () => api.notices.list(),
    staleTime: Infinity,
  })
  const dismiss = useAction(async () => {
    await api.notices.remove('private_projects')
    queries.setQueryData<ApiNotices>(NOTICES_KEY, { notices: [] })
  })
  if (data?.notices.includes('private_projects') !== true) return null
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="private-projects">
      <Stack gap="sm">
        <Title order={2} id="private-projects">
          Projects can now be private
        </Title>
        <Text size="sm">
          Nothing has changed for your existing projects: everyone who can sign in can still use
          them. The owner of a project can make it private on its page. Administrators own all team
          projects. API tokens of people who were removed keep working, but only in team projects.
        </Text>
        <ErrorBox error={dismiss.error} />
        <Group gap="lg">
          <TextLink to="/system" search={{ tab: 'projects' }} size="sm">
            See all projects
          </TextLink>
          <ActionButton variant="default" size="xs" action={dismiss}>
            Dismiss
          </ActionButton>
        </Group>
      </Stack>
    </Card>
  )
}
