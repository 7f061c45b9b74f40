import type { Seat } from '../../browser/seat.ts'
import { randomBase62 } from '../../lib/random.ts'
import { readHeard, readWatched, type Message } from './messages.ts'
import { hooksScript, watchScript, type Wanted } from './scripts.ts'

/** Our scripts inside a page, and the one way out of it. */
export interface Bridge {
  /** Asks our own world in the page that is there now; rejects when there is none. */
  ask(what: 'survey'): Promise<unknown>
  /** How often the page is looked at. */
  pace(ms: number): Promise<void>
}

export type BridgeOptions = {
  wanted: Wanted
  /** What to look for; plain values. */
  watched: object
  hear(message: Message, sentAt: number): void
}

/** Installed before the first page is opened, and again by the browser with every page that follows. */
export async function openBridge(
  { session, page }: Pick<Seat, 'session' | 'page'>,
  { wanted, watched, hear }: BridgeOptions,
): Promise<Bridge> {
  const [binding, world, control] = [secret(), secret(), secret()]
  /** Contexts of our own world; the newest one is that of the page that is there now. */
  const own = new Set<number>()

  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === world) own.add(context.id)
  })
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    own.delete(executionContextId)
  })
  session.on('Runtime.executionContextsCleared', () => own.clear())
  session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== binding) return
    const letter = own.has(executionContextId) ? readWatched(payload) : readHeard(payload)
    if (letter !== null) hear(letter.message, letter.sentAt)
  })
  await session.send('Page.enable')
  await session.send('Runtime.enable')
  await session.send('Runtime.addBinding', { name: binding })
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: hooksScript(binding, wanted),
  })
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: watchScript(binding, control, watched),
    worldName: world,
  })

  async function evaluate(expression: string): Promise<unknown> {
    for (const contextId of [...own].toReversed()) {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId,
        returnByValue: true,
      })
      if (exceptionDetails === undefined) return result.value as unknown
    }
    throw new Error(`none of our scripts is in ${new URL(page.url()).origin}`)
  }

  return {
    ask: (what) => evaluate(`globalThis['${control}'].${what}()`),
    async pace(ms) {
      await evaluate(`globalThis['${control}'].pace(${ms})`)
    },
  }
}

/** No script of a page can guess it. */
function secret(): string {
  return `h${randomBase62(24)}`
}
