import './home.css'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { PrivateProjectsNotice } from '../access/private-projects-notice.tsx'
import { useSignedInUser } from '../api/app-state.tsx'
import { LiveMeetings } from '../meetings/live-meetings.tsx'
import { useActiveMeetings, useMeetingList } from '../meetings/queries.ts'
import { HOME_TWO_COLUMNS_MEDIA_QUERY } from '../ui/breakpoints.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorBox, QueryView } from '../ui/feedback/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { NeedsAttention } from './attention/needs-attention.tsx'
import { GetStarted } from './get-started/get-started.tsx'
import { PracticeButton } from './get-started/practice-button.tsx'
import { useStepsVisibility } from './get-started/use-steps-visibility.ts'
import { Greeting } from './greeting.tsx'
import { MyActions } from './my-actions.tsx'
import { NextMeetings } from './next-meetings.tsx'
import { NextRuns } from './next-runs.tsx'
import { RecentMeetings } from './recent-meetings.tsx'

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
      {visibility.error ? <ErrorBox error={visibility.error} /> : null}
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
