import { type ReactNode, useEffect } from 'react'
import type { useMeetingList } from '../meetings/queries.ts'
import { useNowEvery30Seconds, formatUtc } from '../ui/format/time.tsx'
import { divideByDay, findIncompleteDay } from './meeting-days.ts'
import type { ApiListedMeeting } from '../../src/http/shapes/meetings/meetings.ts'
import { MEETING_END_REASON_TEXTS } from '../meetings/meeting-labels.ts'
import { MeetingStatusBadge } from '../meetings/meeting-status-badge.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Name, TextLink, TitleLink, meetingPage } from '../ui/links.tsx'
import { HomeSection } from './home-sections.tsx'

const LIMITS = { today: 6, yesterday: 4, earlier: 5 }
const MAX_PAGES = 4

interface RecentMeetingsProps {
  history: ReturnType<typeof useMeetingList>
  /** Sections that matter more than older meetings. */
  beforeYesterday: ReactNode
}

/** The meetings of today and yesterday, or the last ones before. */
export function RecentMeetings({ history, beforeYesterday }: RecentMeetingsProps) {
  const { data, hasNextPage, isFetching, fetchNextPage } = history
  const pages = data?.pages ?? []
  const days = divideByDay(
    pages.flatMap((page) => page.meetings),
    useNowEvery30Seconds(),
  )
  const incomplete = hasNextPage ? findIncompleteDay(days) : null
  // On a busy day, the first page ends before yesterday's meetings.
  const needsMore =
    incomplete === 'today' ||
    (incomplete === 'yesterday' && days.yesterday.length < LIMITS.yesterday)
  const loadsMore = needsMore && !isFetching && pages.length < MAX_PAGES
  useEffect(() => {
    if (loadsMore) void fetchNextPage()
  }, [loadsMore, fetchNextPage])
  return (
    <>
      <MeetingRows
        id="today"
        title="Today"
        meetings={days.today}
        limit={LIMITS.today}
        isComplete={incomplete !== 'today'}
        isFirst
      />
      {beforeYesterday}
      <MeetingRows
        id="yesterday"
        title="Yesterday"
        meetings={days.yesterday}
        limit={LIMITS.yesterday}
        isComplete={incomplete === null}
        isFirst={days.today.length === 0}
      />
      {days.today.length === 0 && days.yesterday.length === 0 && (
        <MeetingRows
          id="earlier"
          title="Earlier"
          meetings={days.earlier.slice(0, LIMITS.earlier)}
          limit={LIMITS.earlier}
          isComplete={false}
          isFirst
          showsDay
        />
      )}
    </>
  )
}

interface MeetingRowsProps {
  id: string
  title: string
  meetings: readonly ApiListedMeeting[]
  /** How many are shown. The meetings page has the others. */
  limit: number
  /** True if `meetings` has all of this section's meetings, so that the hidden ones can be counted. */
  isComplete: boolean
  /** The first section links to the meetings page, even if it shows all of its own. */
  isFirst: boolean
  /** True if the rows begin with the day instead of the time. */
  showsDay?: boolean
}

/** Ended meetings, each with one line about its content. */
function MeetingRows(props: MeetingRowsProps) {
  const { id, title, meetings, limit, isComplete, isFirst, showsDay = false } = props
  if (meetings.length === 0) return null
  return (
    <HomeSection
      id={id}
      title={title}
      more={
        (isFirst || meetings.length > limit) && (
          <TextLink to="/meetings" size="sm">
            {isComplete && meetings.length > limit
              ? `${meetings.length - limit} more`
              : 'All meetings'}
          </TextLink>
        )
      }
    >
      <ul className="plain-list home-rows">
        {meetings.slice(0, limit).map((meeting) => (
          <MeetingRow key={meeting.meetingId} meeting={meeting} showsDay={showsDay} />
        ))}
      </ul>
    </HomeSection>
  )
}

const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

function MeetingRow({ meeting, showsDay }: { meeting: ApiListedMeeting; showsDay: boolean }) {
  const { meetingId, title, status, startedAt } = meeting
  return (
    <li className="home-row">
      <time dateTime={startedAt} title={formatUtc(startedAt)} className="home-row-time figures">
        {(showsDay ? dayFormat : clockFormat).format(new Date(startedAt))}
      </time>
      <div className="home-row-main">
        <TitleLink {...meetingPage(meetingId)} className="home-row-title">
          <Name>{title}</Name>
        </TitleLink>
        <p className="home-row-gist" dir="auto">
          {describe(meeting)}
        </p>
      </div>
      <div className="home-row-facts">
        {status === 'error' ? <MeetingStatusBadge status={status} /> : describeSize(meeting)}
      </div>
    </li>
  )
}

/** What the meeting was about, or why nothing can be said about it. */
function describe({ status, reason, gist, segmentCount }: ApiListedMeeting): string {
  if (status === 'error' && reason !== null) return MEETING_END_REASON_TEXTS[reason].what
  if (gist !== null) return gist
  if (segmentCount === 0) return 'Nothing was said.'
  // Not "No recap yet", because recaps may be turned off, or may have failed.
  return `${formatCountWithNoun(segmentCount, 'line')} in the transcript, no recap.`
}

/** "32 min · 4 participants". */
function describeSize({ liveAt, startedAt, endedAt, participantCount }: ApiListedMeeting): string {
  const ms = endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(liveAt ?? startedAt)
  const minutes = Math.round(ms / 60_000)
  return [
    ...(minutes > 0 ? [`${minutes.toLocaleString('en')} min`] : []),
    ...(participantCount > 0 ? [formatCountWithNoun(participantCount, 'participant')] : []),
  ].join(' · ')
}
