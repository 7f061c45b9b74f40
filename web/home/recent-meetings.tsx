import { useEffect, type ReactNode } from 'react'
import type { useMeetingList } from '../meetings/queries.ts'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import { divideByDay, findIncompleteDay } from './meeting-days.ts'
import { MeetingRows } from './meeting-rows.tsx'

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
