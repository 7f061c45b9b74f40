import { createManualClock } from '../time/manual-clock.ts'
import { eventually } from '../time/eventually.ts'
import { startAccessWorld, type AccessWorld } from '../access/access-world.ts'
import type { ApiCalendar, ApiUpcomingMeeting } from '../../../src/http/shapes/calendars.ts'
import type { Log } from '../../../src/log.ts'
import { startFeedServer, type FeedServer } from './feed-server.ts'
import { formatFeed, type TestEvent } from './feed-text.ts'

type Headers = Record<string, string>

/** A service, a feed server, and a clock that only the test advances. */
export type CalendarWorld = AccessWorld & {
  feeds: FeedServer
  clock: ReturnType<typeof createManualClock>
  /** A time in the clock's future. */
  inMinutes(minutes: number): Date
  serve(path: string, events: readonly TestEvent[]): void
  /** Adds a calendar for a path of the feed server, and waits until it was read. */
  addCalendar(headers: Headers, path: string, fields?: object): Promise<ApiCalendar>
  /** Reads the calendar again and waits for the result. */
  poll(headers: Headers, id: string): Promise<ApiCalendar>
  /** The upcoming meetings of the caller's calendars. Other tests may have scheduled team meetings. */
  listUpcoming(headers: Headers): Promise<ApiUpcomingMeeting[]>
}

export async function startCalendarWorld(env: Headers = {}, log?: Log): Promise<CalendarWorld> {
  await using stack = new AsyncDisposableStack()
  const clock = createManualClock()
  const feeds = stack.use(await startFeedServer())
  const world = stack.use(await startAccessWorld(env, { clock, ...(log && { log }) }))
  const prefixOf = (headers: Headers) => ('cookie' in headers ? '/web' : '/api/v1')
  const waitForPoll = (headers: Headers, id: string, since: Date) =>
    eventually(async () => {
      const { body } = await world.call(headers, 'GET', `${prefixOf(headers)}/calendars/${id}`)
      const { calendar } = body as { calendar: ApiCalendar }
      // While a poll is due or running, `nextPollAt` is in the past. A poll that began before the request is ignored.
      const isWaiting = new Date(calendar.nextPollAt) <= clock.now()
      const isPolled =
        !isWaiting && calendar.polledAt !== null && new Date(calendar.polledAt) >= since
      return isPolled ? calendar : null
    })
  const opened = stack.move()
  return {
    ...world,
    feeds,
    clock,
    inMinutes: (minutes) => new Date(clock.now().getTime() + minutes * 60_000),
    serve: (path, events) => feeds.answer(path, formatFeed(events)),
    async addCalendar(headers, path, fields = {}) {
      const { status, body } = await world.call(headers, 'POST', `${prefixOf(headers)}/calendars`, {
        name: path.slice(1),
        url: feeds.urlOf(path),
        ...fields,
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      const { calendar } = body as { calendar: ApiCalendar }
      return waitForPoll(headers, calendar.id, clock.now())
    },
    async poll(headers, id) {
      // A calendar is read at most every ten seconds.
      clock.advance(11)
      const since = clock.now()
      const path = `${prefixOf(headers)}/calendars/${id}/poll`
      const { body } = await world.call(headers, 'POST', path)
      const { nextPollAt } = (body as { calendar: ApiCalendar }).calendar
      const waitMs = new Date(nextPollAt).getTime() - since.getTime()
      // Another poll ended after the clock was advanced, so this one waits ten more seconds.
      if (waitMs > 0 && waitMs <= 10_000) {
        clock.advance(waitMs / 1_000)
        await world.call(headers, 'POST', path)
      }
      return waitForPoll(headers, id, since)
    },
    async listUpcoming(headers) {
      const { body } = await world.call(headers, 'GET', `${prefixOf(headers)}/upcoming`)
      const { upcoming } = body as { upcoming: ApiUpcomingMeeting[] }
      return upcoming.filter(({ calendarId }) => calendarId !== null)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
