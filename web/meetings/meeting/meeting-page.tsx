import './meeting.css'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { MEETING_SINGLE_COLUMN_MEDIA_QUERY, PHONE_MEDIA_QUERY } from '../../ui/breakpoints.ts'
import { NotFoundNotice } from '../../ui/feedback/not-found-notice.tsx'
import { QueryView } from '../../ui/feedback/query-view.tsx'
import { useNowEvery30Seconds } from '../../ui/format/time.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { hasNothingRecorded, isActiveStatus, isBeforeJoinTime } from '../meeting-labels.ts'
import { useMeeting } from '../queries.ts'
import { EditDialogs } from './editing/edit-dialogs.tsx'
import { JoinStepper } from './live/join-stepper.tsx'
import { useIsWaitingForCaptions } from './live/use-is-waiting-for-captions.ts'
import { MeetingHeader } from './meeting-header.tsx'
import { MeetingWarnings } from './meeting-warnings.tsx'
import { MeetingStatusNotice } from './meeting-status-notice.tsx'
import { renderLineNotes } from './notes/line-notes.tsx'
import { MeetingNotesProvider } from './notes/notes-context.tsx'
import { RecapSection } from './recap/recap-section.tsx'
import { ScheduledMeeting } from './scheduled-meeting.tsx'
import { MeetingSheet, MeetingSidePanel } from './side-panel.tsx'
import type { TranscriptStore } from './transcript/transcript-store.ts'
import { TranscriptSection } from './transcript/transcript-section.tsx'
import { useHasGapsAtEnd, useTranscriptStore } from './transcript/use-transcript.ts'

const route = getRouteApi('/signed-in/meetings/$meetingId')

export function MeetingPage() {
  const { meetingId } = route.useParams()
  return <MeetingLoader key={meetingId} meetingId={meetingId} />
}

/** Reads the meeting and its transcript at the same time. */
function MeetingLoader({ meetingId }: { meetingId: string }) {
  const query = useMeeting(meetingId)
  const store = useTranscriptStore(meetingId, query.data?.meeting)
  return (
    <QueryView
      query={query}
      label="the meeting"
      notFound={
        <NotFoundNotice what="Meeting">
          <ButtonLink to="/meetings">Go to meetings</ButtonLink>
        </NotFoundNotice>
      }
    >
      {({ meeting }) => (
        <EditDialogs meeting={meeting}>
          <MeetingNotesProvider
            meetingId={meetingId}
            isLive={isActiveStatus(meeting.status)}
            transcript={store}
          >
            <MeetingContent meeting={meeting} store={store} />
          </MeetingNotesProvider>
        </EditDialogs>
      )}
    </QueryView>
  )
}

interface MeetingPartProps {
  meeting: WireMeetingDetail
  store: TranscriptStore
}

/** Shows a live meeting's transcript, or an ended meeting's recap with the transcript below. The rest is beside it. */
function MeetingContent({ meeting, store }: MeetingPartProps) {
  const isPhone = useMatches(PHONE_MEDIA_QUERY)
  const isSingleColumn = useMatches(MEETING_SINGLE_COLUMN_MEDIA_QUERY)
  const isOver = !isActiveStatus(meeting.status)
  const [wasOpenedOver] = useState(isOver)
  // A transcript without lines still says when captions were lost.
  const hasGaps = useHasGapsAtEnd(store)
  const hasLines = !hasNothingRecorded(meeting)
  const isBefore = isBeforeJoinTime(meeting, useNowEvery30Seconds())
  const hasColumns = !isBefore && (hasLines || hasGaps)
  // No one would find the tabs below a recap and a transcript.
  const hasSheet = isPhone || (isSingleColumn && hasColumns)
  const side = { meeting, store, hasAskBox: hasLines && !isBefore }
  return (
    <div className={isOver ? 'meeting' : 'meeting meeting-active'}>
      <MeetingHeader meeting={meeting} />
      <MeetingStatusNotice meeting={meeting} />
      <MeetingWarnings meeting={meeting} />
      {isBefore && <ScheduledMeeting meeting={meeting} />}
      {hasSheet && <MeetingSheet {...side} isPhone={isPhone} />}
      {!hasColumns ? (
        !hasSheet && <MeetingSidePanel {...side} />
      ) : (
        <div className="meeting-columns">
          <div className="meeting-main">
            {isOver && hasLines && (
              <RecapSection meeting={meeting} endedMeanwhile={!wasOpenedOver} />
            )}
            <StepsOrTranscript meeting={meeting} store={store} />
          </div>
          {!hasSheet && <MeetingSidePanel {...side} />}
        </div>
      )}
    </div>
  )
}

/** The steps of joining until there are captions, then the transcript. */
function StepsOrTranscript({ meeting, store }: MeetingPartProps) {
  const isWaiting = useIsWaitingForCaptions(meeting, store)
  return isWaiting ? (
    <JoinStepper meeting={meeting} />
  ) : (
    <TranscriptSection meeting={meeting} store={store} renderLineActions={renderLineNotes} />
  )
}

function useMatches(mediaQuery: string): boolean {
  return useMediaQuery(mediaQuery, false, { getInitialValueInEffect: false })
}
