import { Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import './meeting.css'
import type { ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { hasNothingRecorded, isActiveStatus, isBeforeJoinTime } from '../meeting-labels.ts'
import { EditDialogs } from './editing/edit-dialogs.tsx'
import { JoinStepper } from './live/join-stepper.tsx'
import { isJoining } from './live/join-steps.ts'
import { MeetingHeader } from './meeting-header.tsx'
import { MeetingStatusNotice } from './meeting-status-notice.tsx'
import { renderLineNotes } from './notes/line-notes.tsx'
import { MeetingNotesProvider } from './notes/notes-context.tsx'
import { RecapSection } from './recap/recap-panel.tsx'
import { MeetingSheet, MeetingSidePanel } from './side-panel.tsx'
import { TranscriptSection } from './transcript/transcript-section.tsx'
import type { TranscriptStore } from './transcript/transcript-store.ts'
import {
  useHasGapsAtEnd,
  useTranscriptStore,
  usePartialCaptions,
  useTranscriptLines,
} from './transcript/use-transcript.ts'
import { useMeeting } from '../queries.ts'
import { MEETING_SINGLE_COLUMN_MEDIA_QUERY, PHONE_MEDIA_QUERY } from '../../ui/breakpoints.ts'
import { EmptyState, NotFoundNotice, QueryView } from '../../ui/feedback/feedback.tsx'
import { useNowEvery30Seconds, Time } from '../../ui/format/time.tsx'
import { ButtonLink } from '../../ui/links.tsx'

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
  meeting: ApiMeetingDetail
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
              <RecapSection meeting={meeting} transcript={store} endedMeanwhile={!wasOpenedOver} />
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

/** Shown in place of the transcript until the bot joins. */
function ScheduledMeeting({ meeting }: { meeting: ApiMeetingDetail }) {
  const { startedAt, botName } = meeting
  return (
    <EmptyState drawing="clock" title="This meeting has not started">
      <span className="break-anywhere">
        Hansard joins <Time at={startedAt} show="relative" />, on{' '}
        <Time at={startedAt} show="minute" />, as “{botName}”. The transcript appears here.
      </span>
    </EmptyState>
  )
}

/** True if the bot is joining or in the call, and nothing was said yet. Stays false after the first caption. */
function useIsWaitingForCaptions(meeting: ApiMeetingDetail, store: TranscriptStore): boolean {
  const now = useNowEvery30Seconds()
  const { status, segmentCount } = meeting
  const { count, gapsAtEnd, isLoaded } = useTranscriptLines(store)
  const isCaptioned = usePartialCaptions(store).length > 0 || count > 0 || gapsAtEnd.length > 0
  const [wasCaptioned, setWasCaptioned] = useState(isCaptioned)
  if (isCaptioned && !wasCaptioned) setWasCaptioned(true)
  const isLater = isBeforeJoinTime(meeting, now)
  return isJoining(status) && !isLater && isLoaded && segmentCount === 0 && !wasCaptioned
}

type WarningCode = ApiMeetingDetail['warnings'][number]['code']

/** Warnings that change the meaning of the transcript. The others are for people who run the service. */
const TRANSCRIPT_WARNINGS: ReadonlySet<WarningCode> = new Set([
  'caption_language',
  'speaker_names',
  'speech_used',
  'speech_incomplete',
  'speech_behind',
  'speech_unavailable',
])

/** What readers should know about the transcript: where its words come from, and what is missing. */
function MeetingWarnings({ meeting }: { meeting: ApiMeetingDetail }) {
  const shown = meeting.warnings.filter(({ code }) => TRANSCRIPT_WARNINGS.has(code))
  if (shown.length === 0) return null
  return (
    <div className="notice" role="note" aria-label="About this transcript">
      <Stack gap={4}>
        {shown.map(({ code, subject, text }) => (
          <Text key={`${code} ${subject}`} size="sm" className="break-anywhere">
            {text.replace(/\.?$/, '.')}
          </Text>
        ))}
      </Stack>
    </div>
  )
}
