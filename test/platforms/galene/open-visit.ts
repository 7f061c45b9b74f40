import { createGalene, type GaleneOptions } from '../../../src/bots/platforms/galene/galene.ts'
import type { ChatAccess, PlatformEvent } from '../../../src/bots/platforms/platform.ts'
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

type Options = Partial<Omit<GaleneOptions, 'settings' | 'log'>> & {
  host: string
  group?: string
  password?: string
  chat?: ChatAccess
}

/** Sends a bot to a server's group. */
export async function openVisit({
  host,
  group = 'talk',
  password,
  chat,
  ...given
}: Options): Promise<Visit> {
  const galene = createGalene({
    pool: given.pool ?? createSingleBrowserPool(await openSharedBrowser()),
    speech: createBurstRecognition(),
    ...given,
    timeouts: { rejoinMs: 1, ...given.timeouts },
    settings: { hosts: [host], password: password ?? null },
    log: createLog('silent'),
  })
  const link = galene.parseLink(`http://${host}/group/${group}/`)
  if (link === null) throw new Error(`${host} is not accepted`)
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
    for await (const event of galene.attend(request, leaving.signal)) events.push(event)
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
