import type { CDPSession } from 'playwright-core'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { randomBase62 } from '../../../lib/crypto/random.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import { evaluateInPage } from './evaluate.ts'
import { isExpectedFrameError, watchFramesInOtherProcesses } from './foreign-frames.ts'
import { createObservationMerger } from './merge-observations.ts'
import { parseNetworkHookMessage, parsePageWatcherMessage, type BridgeMessage } from './messages.ts'
import {
  buildNetworkHooksScript,
  buildPageWatcherScript,
  type TrafficFilter,
} from './build-scripts.ts'

/** The service's connection to the scripts that it has injected into the page of a bot. */
export interface PageBridge {
  /**
   * Calls a function of the page watcher, our script in the current page, in each frame of the platform, and returns
   * the answers; the main document comes first. Rejects when the page has no watcher.
   */
  request(what: 'summarizePage' | 'inspectParts' | 'describeStructure'): Promise<unknown[]>
  /** Sets how often our script checks the page, in all documents that are open now or later. */
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
  slot: Pick<BrowserSlot, 'cdpSession' | 'page' | 'context'>,
  { trafficFilter, watchConfig, onMessage }: PageBridgeOptions,
): Promise<PageBridge> {
  const [binding, world, control] = [randomName(), randomName(), randomName()]
  const scripts = {
    hooks: buildNetworkHooksScript(binding, trafficFilter),
    watcher: buildPageWatcherScript(binding, control, trafficFilter.hosts, watchConfig),
  }
  const observations = createObservationMerger()
  /**
   * The execution contexts of our isolated world, by DevTools session, each with the poll interval that was set in it.
   * The oldest is that of the main document.
   */
  const contextsBySession = new Map<CDPSession, Map<number, number | null>>()
  const sessionNumbers = new WeakMap<CDPSession, number>()
  let sessions = 0
  let pollIntervalMs: number | null = null

  function idOf(cdpSession: CDPSession, contextId: number): string {
    return `${sessionNumbers.get(cdpSession)}/${contextId}`
  }
  function removeContexts(cdpSession: CDPSession): void {
    const contexts = contextsBySession.get(cdpSession)
    for (const id of contexts?.keys() ?? []) observations.remove(idOf(cdpSession, id))
    contexts?.clear()
  }
  /** Calls a function of the page watcher in one context; an empty list when the context has no watcher. */
  function callInContext(cdpSession: CDPSession, contextId: number, call: string) {
    const expression = `globalThis['${control}'] && [globalThis['${control}'].${call}]`
    return evaluateList(cdpSession, contextId, expression)
  }
  function reportFrameError(error: unknown): void {
    if (!isExpectedFrameError(error))
      onMessage({ kind: 'error', text: `failed to call a frame: ${errorMessageOf(error)}` }, 0)
  }
  /** Sets the poll interval in a context that did not exist when `setPollInterval` was called. */
  function applyPollInterval(cdpSession: CDPSession, contextId: number): void {
    const contexts = contextsBySession.get(cdpSession)
    if (pollIntervalMs === null || contexts?.get(contextId) === pollIntervalMs) return
    contexts?.set(contextId, pollIntervalMs)
    callInContext(cdpSession, contextId, `setPollInterval(${pollIntervalMs})`).catch(
      reportFrameError,
    )
  }

  /** Receives the messages of our scripts in the documents of one DevTools session. */
  async function attach(cdpSession: CDPSession): Promise<void> {
    const contexts = new Map<number, number | null>()
    sessionNumbers.set(cdpSession, ++sessions)
    contextsBySession.set(cdpSession, contexts)
    cdpSession.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === world) contexts.set(context.id, null)
    })
    cdpSession.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      contexts.delete(executionContextId)
      observations.remove(idOf(cdpSession, executionContextId))
    })
    cdpSession.on('Runtime.executionContextsCleared', () => removeContexts(cdpSession))
    cdpSession.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== binding) return
      const isOwn = contexts.has(executionContextId)
      if (isOwn) applyPollInterval(cdpSession, executionContextId)
      const received = isOwn ? parsePageWatcherMessage(payload) : parseNetworkHookMessage(payload)
      if (received !== null) {
        const { message, sentAtPageTimeMs } = received
        const frameId = idOf(cdpSession, executionContextId)
        onMessage(isOwn ? observations.merge(frameId, message) : message, sentAtPageTimeMs)
      } else if (isOwn)
        onMessage({ kind: 'error', text: 'a message of the page watcher is invalid' }, 0)
    })
    await installScripts(cdpSession, { binding, world, scripts })
  }

  await attach(slot.cdpSession)
  watchFramesInOtherProcesses(slot, {
    hosts: trafficFilter.hosts,
    attach,
    detach(cdpSession) {
      removeContexts(cdpSession)
      contextsBySession.delete(cdpSession)
    },
    scripts,
    world,
    onProblem: (text) => onMessage({ kind: 'error', text }, 0),
  })

  async function callControl(call: string): Promise<unknown[]> {
    const answers: unknown[] = []
    for (const [cdpSession, contexts] of contextsBySession) {
      for (const contextId of contexts.keys()) {
        try {
          answers.push(...(await callInContext(cdpSession, contextId, call)))
        } catch (error) {
          // A frame in another process may be gone without an event. The rest of the page can answer nevertheless.
          if (cdpSession === slot.cdpSession) throw error
          reportFrameError(error)
        }
      }
    }
    if (answers.length === 0) throw new InjectedScriptMissingError()
    return answers
  }

  return {
    request: (what) => callControl(`${what}()`),
    async setPollInterval(ms) {
      pollIntervalMs = ms
      await callControl(`setPollInterval(${ms})`)
    },
  }
}

/** Makes the browser run our scripts in every document that the session opens from now on. */
async function installScripts(
  cdpSession: CDPSession,
  {
    binding,
    world,
    scripts,
  }: { binding: string; world: string; scripts: { hooks: string; watcher: string } },
): Promise<void> {
  await cdpSession.send('Page.enable')
  await cdpSession.send('Runtime.enable')
  await cdpSession.send('Runtime.addBinding', { name: binding })
  await cdpSession.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.hooks })
  await cdpSession.send('Page.addScriptToEvaluateOnNewDocument', {
    source: scripts.watcher,
    worldName: world,
  })
}

/** Evaluates an expression of our own in a context. The value is a list, or nothing when the context has no watcher. */
async function evaluateList(
  cdpSession: CDPSession,
  contextId: number,
  expression: string,
): Promise<unknown[]> {
  const value = await evaluateInPage(cdpSession, { expression, contextId })
  // A frame of another host has a context too, but no control object.
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** The page that is open now has none of our scripts: it is empty, or it is being replaced. */
export class InjectedScriptMissingError extends Error {
  override readonly name = 'InjectedScriptMissingError'

  constructor() {
    super('the page has none of our scripts')
  }
}

/** A random name for a global object or a world, so that no script of a page can guess it. */
export function randomName(): string {
  return `h${randomBase62(24)}`
}
