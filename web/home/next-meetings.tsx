import type { MeetingPlatform } from '../../src/http/shapes/values.ts'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { Time, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { Name } from '../ui/format/name.tsx'
import { TextLink, TitleLink } from '../ui/links.tsx'
import { useUpcomingMeetings } from '../upcoming/queries.ts'
import { HomeSection } from './home-section.tsx'

const MAX_SHOWN = 3

function describePlatform(platform: MeetingPlatform): string {
  return platform === 'practice' ? ' · practice meeting' : ` on ${PLATFORM_LABELS[platform]}`
}

/** The next meetings that Hansard joins automatically. */
export function NextMeetings() {
  const { data } = useUpcomingMeetings()
  const now = useNowEvery30Seconds()
  const next = (data?.pages ?? [])
    .flatMap((page) => page.upcoming)
    .filter(({ willJoin, startsAt }) => willJoin && Date.parse(startsAt) > now)
    .slice(0, MAX_SHOWN)
  if (next.length === 0) return null
  return (
    <HomeSection
      id="upcoming"
      title="Upcoming"
      more={
        <TextLink to="/upcoming" size="sm">
          All upcoming
        </TextLink>
      }
    >
      <ul className="plain-list home-rows">
        {next.map(({ id, meetingId, title, startsAt, platform }) => (
          <li key={id} className="home-row home-row-upcoming">
            <div className="home-row-main">
              {meetingId === null ? (
                <span className="home-row-title">
                  <Name>{title}</Name>
                </span>
              ) : (
                <TitleLink
                  to="/meetings/$meetingId"
                  params={{ meetingId }}
                  className="home-row-title"
                >
                  <Name>{title}</Name>
                </TitleLink>
              )}
              <p className="home-row-gist">
                Hansard joins <Time at={startsAt} show="relative" />
                {platform !== null && describePlatform(platform)}
              </p>
            </div>
            <div className="home-row-facts">
              <Time at={startsAt} show="near" />
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}
