import './meeting.css'
import { Stack, Text } from '@mantine/core'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import { FindBar } from './transcript/find-bar.tsx'
import { useMediaQuery } from '@mantine/hooks'
import { AskAboutMeeting } from './ask-about-meeting.tsx'
import { RecapPanel } from './recap/recap-panel.tsx'
import { MEETING_SINGLE_COLUMN_MEDIA_QUERY } from '../../ui/breakpoints.ts'
import { MeetingHeader } from './meeting-header.tsx'
import { scrollToLine } from './transcript/scroll-to-line.ts'
import { MeetingSidePanel } from './side-panel.tsx'
import { createSpeakerHues, type SpeakerHues } from './transcript/speakers.ts'
import type { TranscriptStore } from './transcript/transcript-store.ts'
import { TranscriptView } from './transcript/transcript-view.tsx'
import { useAutoScroll } from './transcript/use-auto-scroll.ts'
import { useTranscriptLines, useTranscriptStore } from './transcript/use-transcript.ts'
import { MeetingNotesProvider } from './notes/notes-context.tsx'
import { MeetingStatusNotice } from './meeting-status-notice.tsx'
import { useMeeting } from '../queries.ts'
import { isActiveStatus } from '../meeting-labels.ts'
import { QueryView } from '../../ui/feedback/query-view.tsx'
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts'

const route = getRouteApi('/signed-in/meetings/$meetingId')

export function MeetingPage() {
  const { meetingId } = route.useParams()
  return <MeetingLoader key={meetingId} meetingId={meetingId} />
}

function MeetingLoader({ meetingId }: { meetingId: string }) {
  const query = useMeeting(meetingId)
  return (
    <QueryView query={query} label="the meeting">
      {({ meeting }) => <MeetingContent meeting={meeting} />}
    </QueryView>
  )
}

function MeetingContent({ meeting }: { meeting: WireMeetingDetail }) {
  const store = useTranscriptStore(meeting.meetingId)
  const [speakers] = useState(createSpeakerHues)
  const isSingleColumn = useMediaQuery(MEETING_SINGLE_COLUMN_MEDIA_QUERY, false, {
    getInitialValueInEffect: false,
  })
  return (
    <MeetingNotesProvider meeting={meeting} transcript={store}>
      <Stack gap="md">
        <MeetingHeader meeting={meeting} />
        <MeetingStatusNotice meeting={meeting} />
        {isSingleColumn && (
          <>
            <AskAboutMeeting meetingId={meeting.meetingId} />
            <RecapAboveTranscript meeting={meeting} />
          </>
        )}
        <div className="meeting-columns">
          <TranscriptPane meeting={meeting} store={store} speakers={speakers} />
          <MeetingSidePanel
            meeting={meeting}
            store={store}
            speakers={speakers}
            isBesideTranscript={!isSingleColumn}
          />
        </div>
      </Stack>
    </MeetingNotesProvider>
  )
}

/** On narrow screens, where the tabs are below the transcript or in a sheet. */
function RecapAboveTranscript({ meeting }: { meeting: WireMeetingDetail }) {
  const { status, segmentCount } = meeting
  if (isActiveStatus(status) || (status === 'error' && segmentCount === 0)) return null
  return (
    <section className="recap-above" aria-label="Recap">
      <Text fw={650} size="lg" aria-hidden>
        Recap
      </Text>
      <RecapPanel meeting={meeting} />
    </section>
  )
}

type TranscriptPaneProps = {
  meeting: WireMeetingDetail
  store: TranscriptStore
  speakers: SpeakerHues
}

function TranscriptPane({ meeting, store, speakers }: TranscriptPaneProps) {
  const hashed = useHashLine()
  const [found, setFound] = useState<{ line: number; hashed: number | null } | null>(null)
  const [startsAtEnd] = useState(() => hashed === null && isActiveStatus(meeting.status))
  const follow = useAutoScroll(startsAtEnd)
  const { isLoaded } = useTranscriptLines(store)
  const { pause } = follow
  // Shows the line from the find bar until the URL's fragment changes, then the line in the fragment.
  const target = found && found.hashed === hashed ? found.line : hashed

  useEffect(() => {
    if (!isLoaded || target === null) return
    pause()
    scrollToLine(target)
  }, [isLoaded, target, pause])
  useShortcuts({
    f: () => (follow.isFollowing ? follow.pause() : follow.resume()),
    '[': () => focusTurn(-1, pause),
    ']': () => focusTurn(1, pause),
  })
  return (
    <section className="reading" aria-label="Transcript and search">
      <FindBar store={store} onFound={(line) => setFound({ line, hashed })} />
      <TranscriptView
        meeting={meeting}
        store={store}
        speakers={speakers}
        autoScroll={follow}
        targetSegmentNumber={target}
      />
    </section>
  )
}

/** The line number in the URL's fragment: `#line-12`. */
function useHashLine(): number | null {
  const hash = useLocation({ select: (location) => location.hash })
  const [, digits] = /^line-(\d{1,7})$/.exec(hash) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Focuses the timestamp of the previous or next speaker change. */
function focusTurn(by: 1 | -1, pause: () => void): void {
  const turns = [...document.querySelectorAll<HTMLElement>('.transcript .turn .line-time[href]')]
  const at = turns.findIndex((turn) => turn === document.activeElement)
  const next = at < 0 ? turns.at(by < 0 ? -1 : 0) : turns[at + by]
  if (!next) return
  pause()
  next.focus()
  next.scrollIntoView({ block: 'center' })
}
