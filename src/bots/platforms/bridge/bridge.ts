import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { randomBase62 } from '../../../lib/crypto/random.ts'
import { parseNetworkHookMessage, parsePageWatcherMessage, type BridgeMessage } from './messages.ts'
import {
  buildNetworkHooksScript,
  buildPageWatcherScript,
  type TrafficFilter,
} from './build-scripts.ts'

/** The service's connection to the scripts that it has injected into the page of a bot. */
export interface PageBridge {
  /** Calls a function of the page watcher, our script in the current page; rejects when the page has none. */
  request(what: 'summarizePage'): Promise<unknown>
  /** Sets how often our script checks the page. */
  setPollInterval(ms: number): Promise<void>
}

export type PageBridgeOptions = {
  trafficFilter: TrafficFilter
  /** What the script in the page observes, as plain JSON values. */
  watchConfig: object
  onMessage(message: BridgeMessage, sentAt: number): void
}

/** Installs our scripts before the first page is opened. The browser installs them again in every later page. */
export async function openPageBridge(
  { cdpSession }: Pick<BrowserSlot, 'cdpSession'>,
  { trafficFilter, watchConfig, onMessage }: PageBridgeOptions,
): Promise<PageBridge> {
  const [binding, world, control] = [randomName(), randomName(), randomName()]
  /** Execution contexts of our isolated world. The newest one belongs to the current page. */
  const contexts = new Set<number>()

  cdpSession.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === world) contexts.add(context.id)
  })
  cdpSession.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    contexts.delete(executionContextId)
  })
  cdpSession.on('Runtime.executionContextsCleared', () => contexts.clear())
  cdpSession.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== binding) return
    const isOwn = contexts.has(executionContextId)
    const received = isOwn ? parsePageWatcherMessage(payload) : parseNetworkHookMessage(payload)
    if (received !== null) onMessage(received.message, received.sentAtPageTimeMs)
    else if (isOwn)
      onMessage({ kind: 'error', text: 'a message of the page watcher is invalid' }, 0)
  })
  await cdpSession.send('Page.enable')
  await cdpSession.send('Runtime.enable')
  await cdpSession.send('Runtime.addBinding', { name: binding })
  await cdpSession.send('Page.addScriptToEvaluateOnNewDocument', {
    source: buildNetworkHooksScript(binding, trafficFilter),
  })
  await cdpSession.send('Page.addScriptToEvaluateOnNewDocument', {
    source: buildPageWatcherScript(binding, control, watchConfig),
    worldName: world,
  })

  async function callControl(call: string): Promise<unknown> {
    for (const contextId of [...contexts].toReversed()) {
      const { result, exceptionDetails } = await cdpSession.send('Runtime.evaluate', {
        expression: `globalThis['${control}'] && [globalThis['${control}'].${call}]`,
        contextId,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined) {
        const { exception, text } = exceptionDetails
        throw new InjectedScriptError(exception?.description ?? text)
      }
      // A frame inside the page has a context too, but no control object.
      if (Array.isArray(result.value)) return (result.value as unknown[])[0]
    }
    throw new InjectedScriptMissingError()
  }

  return {
    request: (what) => callControl(`${what}()`),
    async setPollInterval(ms) {
      await callControl(`setPollInterval(${ms})`)
    },
  }
}

/** The page that is open now has none of our scripts: it is empty, or it is being replaced. */
export class InjectedScriptMissingError extends Error {
  override readonly name = 'InjectedScriptMissingError'

  constructor() {
    super('the page has none of our scripts')
  }
}

/** Our own script in the page threw; the message is the stack in the page. */
export class InjectedScriptError extends Error {
  override readonly name = 'InjectedScriptError'
}

/** A random name for a global object or a world, so that no script of a page can guess it. */
function randomName(): string {
  return `h${randomBase62(24)}`
}
