import '../meeting/meeting.css'
import { Stack } from '@mantine/core'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { FindBar } from '../meeting/find-bar.tsx'
import { MeetingHead } from '../meeting/head.tsx'
import { lineId } from '../meeting/line-id.ts'
import { Side } from '../meeting/side.tsx'
import { createSpeakers, type Speakers } from '../meeting/speakers.ts'
import type { TranscriptStore } from '../meeting/transcript-store.ts'
import { Transcript } from '../meeting/transcript.tsx'
import { useFollow } from '../meeting/use-follow.ts'
import { useLines, useTranscript } from '../meeting/use-transcript.ts'
import { WhyBox } from '../meeting/why-box.tsx'
import { useMeeting } from '../meetings/queries.ts'
import { STATUSES } from '../meetings/words.ts'
import { Loaded } from '../ui/loaded.tsx'
import { useKeys } from '../ui/use-keys.ts'

const route = getRouteApi('/inside/meetings/$meetingId')

export function MeetingPage() {
  const { meetingId } = route.useParams()
  return <OneMeeting key={meetingId} meetingId={meetingId} />
}

function OneMeeting({ meetingId }: { meetingId: string }) {
  const query = useMeeting(meetingId)
  return (
    <Loaded query={query} what="the meeting">
      {({ meeting }) => <Shown meeting={meeting} />}
    </Loaded>
  )
}

function Shown({ meeting }: { meeting: WireMeetingDetail }) {
  const store = useTranscript(meeting.meetingId)
  const [speakers] = useState(createSpeakers)
  return (
    <Stack gap="md">
      <MeetingHead meeting={meeting} />
      <WhyBox meeting={meeting} />
      <div className="meeting-columns">
        <Reading meeting={meeting} store={store} speakers={speakers} />
        <Side meeting={meeting} store={store} speakers={speakers} />
      </div>
    </Stack>
  )
}

type Parts = { meeting: WireMeetingDetail; store: TranscriptStore; speakers: Speakers }

function Reading({ meeting, store, speakers }: Parts) {
  const hashed = useHashLine()
  const [found, setFound] = useState<{ line: number; hashed: number | null } | null>(null)
  const [startsAtEnd] = useState(() => hashed === null && STATUSES[meeting.status].isActive)
  const follow = useFollow(startsAtEnd)
  const { isLoaded } = useLines(store)
  const { pause } = follow
  // A link to a line that is followed after a search counts more than the search.
  const target = found && found.hashed === hashed ? found.line : hashed

  useEffect(() => {
    if (!isLoaded || target === null) return
    pause()
    document.getElementById(lineId(target))?.scrollIntoView({ block: 'center' })
  }, [isLoaded, target, pause])
  useKeys({
    f: () => (follow.isFollowing ? follow.pause() : follow.follow()),
    '[': () => stepTurn(-1, pause),
    ']': () => stepTurn(1, pause),
  })
  return (
    <section className="reading" aria-label="What was said">
      <FindBar store={store} onFound={(line) => setFound({ line, hashed })} />
      <Transcript
        meeting={meeting}
        store={store}
        speakers={speakers}
        follow={follow}
        target={target}
      />
    </section>
  )
}

/** The line that the address names: `#line-12`. */
function useHashLine(): number | null {
  const hash = useLocation({ select: (location) => location.hash })
  const [, digits] = /^line-(\d{1,7})$/.exec(hash) ?? []
  return digits === undefined ? null : Number(digits)
}

/** To where the speaker before or after begins: its time gets the focus, and is the link to it. */
function stepTurn(by: 1 | -1, pause: () => void): void {
  const turns = [...document.querySelectorAll<HTMLElement>('.transcript .turn .line-time[href]')]
  const at = turns.findIndex((turn) => turn === document.activeElement)
  const next = at < 0 ? turns.at(by < 0 ? -1 : 0) : turns[at + by]
  if (!next) return
  pause()
  next.focus()
  next.scrollIntoView({ block: 'center' })
}
