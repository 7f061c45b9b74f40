import type { BrowserSlot } from '../../src/bots/browser/pool/browser-slot.ts'
import { createLog } from '../../src/log.ts'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { findBrowserProcess } from '../../test/support/browser/browser-process.ts'
import { openStagePool, type StageInfo } from '../support/bot-setups.ts'
import { roomAddress } from '../support/room-address.ts'
import { median, timed } from '../support/figures.ts'

const ROUNDS = 3

type Times = { cold: number; live: number; crash: number; kill: number }

/** How long the bot takes to join, and to receive captions again after its page or browser has crashed. */
export async function measureRecovery(stage: StageInfo, room: number): Promise<void> {
  const rounds: Times[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await attendOnce(stage, room))
  const of = (name: keyof Times) => (median(rounds.map((times) => times[name])) / 1000).toFixed(1)
  console.log(`  one bot, ${ROUNDS} rounds, in the packaged headless shell`)
  console.log(
    `    start to live            ${of('cold')} s with a new browser, ${of('live')} s in one that runs`,
  )
  console.log(`    page crashed to captions ${of('crash')} s`)
  console.log(`    browser killed to captions ${of('kill')} s`)
}

async function attendOnce(stage: StageInfo, room: number): Promise<Times> {
  await using pool = await openStagePool(stage, 'shell')
  let slot: BrowserSlot | null = null
  const watched = {
    async acquire(...given: Parameters<typeof pool.acquire>) {
      slot = await pool.acquire(...given)
      return slot
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const cold = await visit(watched, room, async ({ admittedMs }) => admittedMs)
  return await visit(watched, room, async ({ admittedMs, nextCaption }) => {
    await nextCaption()
    const crash = await timed(async () => {
      // Never resolves, because the page has crashed.
      void Promise.allSettled([slot?.cdpSession.send('Page.crash')])
      await nextCaption(slot)
    })
    const kill = await timed(async () => {
      process.kill(await findBrowserProcess(slot?.context.browser() ?? null), 'SIGKILL')
      await nextCaption(slot)
    })
    return { cold, live: admittedMs, crash, kill }
  })

  /** The next caption, or the first one from another slot than the given one. */
  async function visit<T>(
    from: typeof watched,
    where: number,
    work: (visit: {
      admittedMs: number
      nextCaption(dead?: BrowserSlot | null): Promise<void>
    }) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController()
    const url = roomAddress(where)
    const address = { url, room: url, label: 'Bench' }
    const began = performance.now()
    const events = createGoogleMeet({ pool: from, log: createLog('silent') }).attend(
      {
        link: address,
        displayName: 'Notes',
        language: null,
        account: null,
        elapsedMs: 0,
        wasAdmittedBefore: false,
      },
      stop.signal,
    )
    const source = events[Symbol.asyncIterator]()
    const until = async (isIt: (seen: string) => boolean) => {
      for (;;) {
        const { value, done } = await source.next()
        if (done) throw new Error('the visit has ended')
        if (value.kind === 'over') throw new Error(`${value.because}: ${value.detail}`)
        if (isIt(value.kind)) return
      }
    }
    await until((seen) => seen === 'admitted')
    const admittedMs = performance.now() - began
    const nextCaption = (dead: BrowserSlot | null = null) =>
      until((seen) => seen === 'caption' && slot !== dead)
    const result = await work({ admittedMs, nextCaption })
    stop.abort()
    await source.return?.()
    return result
  }
}
