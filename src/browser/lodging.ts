import type { BrowserContext } from 'playwright-core'
import type { Log } from '../log.ts'
import { WINDOW } from './arguments.ts'
import { answerDialogs, keepAlone, permitDevices } from './guard.ts'
import type { RunningBrowser } from './launch.ts'
import { SeatLost, type Seat, type SeatWishes } from './seat.ts'

/** A seat with what only the pool needs of it. */
export interface Lodging extends Seat {
  lose(what: SeatLost['what']): void
  /** Whether there was any sign of life since this was last asked. */
  wasHeard(): boolean
}

type Options = { running: RunningBrowser; wishes: SeatWishes; log: Log }

/** One bot's place in a running browser. */
export async function openLodging({ running, wishes, log }: Options): Promise<Lodging> {
  await using stack = new AsyncDisposableStack()
  const { context, isShared } = await contextFor(running, wishes)
  if (!isShared) {
    stack.defer(() => context.close())
    await permitDevices(context, wishes.origins)
  }
  const page = await context.newPage()
  if (isShared) stack.defer(() => page.close())
  else keepAlone(context, page, log)
  answerDialogs(page, log)
  const session = await context.newCDPSession(page)
  const lost = new AbortController()
  let isHeard = true
  const lose = (what: SeatLost['what']) => lost.abort(new SeatLost(what))
  page.on('crash', () => lose('page crashed'))
  // A dying browser takes its pages along before it is known to be dead: whether it answers decides.
  const onClose = () =>
    void running.session.send('Browser.getVersion').then(
      () => lose('page crashed'),
      () => lose('browser gone'),
    )
  page.on('close', onClose)
  // Who gives the seat back has not lost it.
  stack.defer(() => void page.off('close', onClose))

  const owned = stack.move()
  return {
    context,
    page,
    session,
    lost: lost.signal,
    lose,
    heard() {
      isHeard = true
    },
    wasHeard() {
      const answer = isHeard
      isHeard = false
      return answer
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** In the operator's own Chrome the people who are signed in there are the point: its own window is used. */
async function contextFor(
  { browser, isOperators }: RunningBrowser,
  { locale, storageState }: SeatWishes,
): Promise<{ context: BrowserContext; isShared: boolean }> {
  const [first] = browser.contexts()
  if (isOperators && first !== undefined && storageState === undefined) {
    return { context: first, isShared: true }
  }
  const context = await browser.newContext({
    acceptDownloads: false,
    locale,
    viewport: WINDOW,
    ...(storageState !== undefined && { storageState }),
  })
  return { context, isShared: false }
}
