import type { AttendOptions } from '../../../src/bots/platforms/page-session/attend-page.ts'
import type { ChatAccess, Platform, PlatformEvent } from '../../../src/bots/platforms/platform.ts'
import { createLog } from '../../../src/log.ts'
import { openSharedBrowser } from '../../support/browser/shared-browser.ts'
import { createSingleBrowserPool } from '../../support/browser/single-browser-pool.ts'
import { eventually } from '../../support/time/eventually.ts'
import { createBurstRecognition } from './burst-recognition.ts'

type EventOf<Kind extends PlatformEvent['kind']> = Extract<PlatformEvent, { kind: Kind }>

export type Visit = AsyncDisposable & {
  events: PlatformEvent[]
  /** Waits for an event that meets the condition. */
  waitFor<Kind extends PlatformEvent['kind']>(
    kind: Kind,
    isMet?: (event: EventOf<Kind>) => boolean,
  ): Promise<EventOf<Kind>>
  /** Makes the bot leave and waits until it has left. */
  leave(): Promise<void>
}

/** What a test may set for a visit to any call whose sound the bot receives. */
export type VisitOptions = Partial<Omit<AttendOptions, 'log'>> & { chat?: ChatAccess }

/** Sends a bot to the call of a link. */
export async function openVisit(
  create: (options: AttendOptions) => Platform,
  given: string,
  { chat, ...options }: VisitOptions,
): Promise<Visit> {
  const platform = create({
    pool: options.pool ?? createSingleBrowserPool(await openSharedBrowser()),
    speech: createBurstRecognition(),
    ...options,
    timeouts: { rejoinMs: 1, ...options.timeouts },
    log: createLog('silent'),
  })
  const link = platform.parseLink(given)
  if (link === null) throw new Error(`${given} is not accepted`)
  const request = {
    link,
    displayName: 'Notes',
    language: null,
    account: null,
    elapsedMs: 0,
    wasAdmittedBefore: false,
    ...(chat && { chat }),
  }
  const events: PlatformEvent[] = []
  const leaving = new AbortController()
  const attending = (async () => {
    for await (const event of platform.attend(request, leaving.signal)) events.push(event)
  })()
  async function leave(): Promise<void> {
    leaving.abort()
    await attending
  }
  return {
    events,
    waitFor: (kind, isMet = () => true) =>
      eventually(() => {
        const found = events.find(
          (event): event is EventOf<typeof kind> => event.kind === kind && isMet(event as never),
        )
        if (found === undefined && events.some((event) => event.kind === 'over'))
          throw new Error(`the visit is over: ${JSON.stringify(events.at(-1))}`)
        return found ?? null
      }),
    leave,
    [Symbol.asyncDispose]: leave,
  }
}
