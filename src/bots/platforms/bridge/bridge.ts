import type { CDPSession } from 'playwright-core'
import { randomBase62 } from '../../../lib/crypto.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import {
  buildNetworkHooksScript,
  buildPageWatcherScript,
  type TrafficFilter,
} from './build-scripts.ts'
import { isExpectedFrameError, watchFramesInOtherProcesses } from './foreign-frames.ts'
import {
  parseNetworkHookMessage,
  parsePageWatcherMessage,
  type BridgeMessage,
  type PageStateObservation,
} from './messages.ts'

/** Connects the service to the scripts that it has injected into the page of a bot. */
export interface PageBridge {
  /**
   * Calls a function of the page watcher (our script in the page) in each frame of the platform, and returns the
   * answers, the main document's first. Rejects if the page has no watcher.
   */
  request(what: 'summarizePage' | 'inspectParts' | 'describeStructure'): Promise<unknown[]>
  /** Sets how often our script checks the page, in all current and later documents. */
  setPollInterval(ms: number): Promise<void>
  /** Turns sending the sound of participants on or off, in all current and later documents. It starts turned off. */
  setHearing(isOn: boolean): Promise<void>
}

/** The page watcher's settings, by the names of the functions that set them. */
type PageSettings = { setPollInterval?: number; setHearing?: boolean }
type PageSettingName = keyof PageSettings

export type PageBridgeOptions = {
  trafficFilter: TrafficFilter
  /** What the script in the page observes, as plain JSON values. */
  watchConfig: object
  onMessage(message: BridgeMessage, sentAt: number): void
}

/** Our own script in the page threw; the message is the stack in the page. */
export class InjectedScriptError extends Error {
  override readonly name = 'InjectedScriptError'
}

/** No message is delayed this long. A larger lag means that the page's clock was changed. */
const MAX_LAG_MS = 20_000
/** How far two clocks can drift apart per millisecond. */
const MAX_DRIFT_RATE = 0.0005

/** Installs our scripts before the first page is opened. The browser installs them again in every later page. */
export async function openPageBridge(
  slot: Pick<BrowserSlot, 'cdpSession' | 'page' | 'context'>,
  { trafficFilter, watchConfig, onMessage }: PageBridgeOptions,
): Promise<PageBridge> {
  const [binding, world, control] = [randomName(), randomName(), randomName()]
  const names = { binding, control, hearingEvent: randomName() }
  const scripts = {
    hooks: buildNetworkHooksScript(binding, names.hearingEvent, trafficFilter),
    watcher: buildPageWatcherScript(names, trafficFilter.hosts, watchConfig),
  }
  const observations = createObservationMerger()
  /**
   * The execution contexts of our isolated world, by DevTools session, each with the settings applied in it. The oldest
   * one belongs to the main document.
   */
  const contextsBySession = new Map<CDPSession, Map<number, PageSettings>>()
  const sessionNumbers = new WeakMap<CDPSession, number>()
  const settings: PageSettings = {}
  let sessions = 0

  function idOf(cdpSession: CDPSession, contextId: number): string {
    return `${sessionNumbers.get(cdpSession)}/${contextId}`
  }
  function removeContexts(cdpSession: CDPSession): void {
    const contexts = contextsBySession.get(cdpSession)
    for (const id of contexts?.keys() ?? []) observations.remove(idOf(cdpSession, id))
    contexts?.clear()
  }
  /** Calls a function of the page watcher in one context. Returns an empty list if the context has no watcher. */
  function callInContext(cdpSession: CDPSession, contextId: number, call: string) {
    const expression = `globalThis['${control}'] && [globalThis['${control}'].${call}]`
    return evaluateList(cdpSession, contextId, expression)
  }
  function reportFrameError(error: unknown): void {
    if (!isExpectedFrameError(error))
      onMessage({ kind: 'error', text: `failed to call a frame: ${errorMessageOf(error)}` }, 0)
  }
  /** Applies the settings in a context that did not exist when they were set. */
  function applySettings(cdpSession: CDPSession, contextId: number): void {
    const applied = contextsBySession.get(cdpSession)?.get(contextId) ?? {}
    for (const [name, value] of Object.entries(settings)) {
      if (applied[name as PageSettingName] === value) continue
      Object.assign(applied, { [name]: value })
      callInContext(cdpSession, contextId, `${name}(${value})`).catch(reportFrameError)
    }
  }

  /** Receives the messages of our scripts in the documents of one DevTools session. */
  async function attach(cdpSession: CDPSession): Promise<void> {
    const contexts = new Map<number, PageSettings>()
    sessionNumbers.set(cdpSession, ++sessions)
    contextsBySession.set(cdpSession, contexts)
    cdpSession.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === world) contexts.set(context.id, {})
    })
    cdpSession.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      contexts.delete(executionContextId)
      observations.remove(idOf(cdpSession, executionContextId))
    })
    cdpSession.on('Runtime.executionContextsCleared', () => removeContexts(cdpSession))
    cdpSession.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== binding) return
      const isOwn = contexts.has(executionContextId)
      if (isOwn) applySettings(cdpSession, executionContextId)
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
          // A frame in another process may be gone without an event. The rest of the page can still answer.
          if (cdpSession === slot.cdpSession) throw error
          reportFrameError(error)
        }
      }
    }
    if (answers.length === 0) throw new InjectedScriptMissingError()
    return answers
  }

  async function changeSetting(name: PageSettingName, value: number | boolean): Promise<void> {
    Object.assign(settings, { [name]: value })
    await callControl(`${name}(${value})`)
  }

  return {
    request: (what) => callControl(`${what}()`),
    setPollInterval: (ms) => changeSetting('setPollInterval', ms),
    setHearing: (isOn) => changeSetting('setHearing', isOn),
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

/** Evaluates our own expression in a context. Returns an empty list if the context has no watcher. */
async function evaluateList(
  cdpSession: CDPSession,
  contextId: number,
  expression: string,
): Promise<unknown[]> {
  const value = await evaluateInPage(cdpSession, { expression, contextId })
  // A frame of another host has a context too, but no control object.
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** The current page has none of our scripts: it is empty, or it is being replaced. */
export class InjectedScriptMissingError extends Error {
  override readonly name = 'InjectedScriptMissingError'

  constructor() {
    super('the page has none of our scripts')
  }
}

/** A random name for a global object or a world, which no script of a page can guess. */
export function randomName(): string {
  return `h${randomBase62(24)}`
}

/** Evaluates our own expression in the page, waits for its promise, and returns its value as JSON. */
export async function evaluateInPage(
  cdpSession: CDPSession,
  { expression, contextId }: { expression: string; contextId?: number },
): Promise<unknown> {
  const { result, exceptionDetails } = await cdpSession.send('Runtime.evaluate', {
    expression,
    ...(contextId !== undefined && { contextId }),
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails === undefined) return result.value
  const { exception, text } = exceptionDetails
  throw new InjectedScriptError(exception?.description ?? text)
}

/** The main document comes first, because it reports before the frames inside it exist. */
export function createObservationMerger() {
  const byFrame = new Map<string, PageStateObservation>()
  let hasChanged = false

  return {
    /** Returns the message with the whole page's observation instead of the frame's. */
    merge(frameId: string, message: BridgeMessage): BridgeMessage {
      if (message.kind !== 'observation' && message.kind !== 'unchanged') return message
      if (message.kind === 'observation') byFrame.set(frameId, message.observation)
      if (message.kind === 'unchanged' && !hasChanged) return message
      hasChanged = false
      const [first, ...rest] = byFrame.values()
      if (first === undefined) return message
      return { kind: 'observation', observation: rest.reduce(mergeTwo, first) }
    },
    /** The document of the frame is gone. */
    remove(frameId: string) {
      if (byFrame.delete(frameId)) hasChanged = true
    },
  }
}

function mergeTwo(outer: PageStateObservation, inner: PageStateObservation): PageStateObservation {
  const found = Object.entries(outer.found).map(([part, index]) => [
    part,
    index ?? inner.found[part] ?? null,
  ])
  return {
    address: outer.address,
    language: inner.language || outer.language,
    words: [outer.words, inner.words].filter((words) => words !== '').join('\n'),
    parts: { ...inner.parts, ...outer.parts },
    found: Object.fromEntries(found) as PageStateObservation['found'],
    count: outer.count ?? inner.count,
  }
}

/**
 * Converts times of the page's clock to the service's clock. A caption from the network and a caption on the page are
 * compared by the time at which they appeared in the page, because a busy machine delivers messages seconds late.
 */
export function createPageTimeConverter() {
  /** The offset from the page's clock to ours: the smallest one of all messages, because it has the least delay. */
  let ahead = Infinity
  let arrivedLast = -Infinity
  let last = -Infinity

  return {
    /** Our time of an event that the page sent at `sentAt` (page clock) and that arrived at `arrivedAt` (our clock). */
    toLocalTime(sentAt: number, arrivedAt: number) {
      const passed = Number.isFinite(arrivedLast) ? arrivedAt - arrivedLast : 0
      ahead = Math.min(ahead + passed * MAX_DRIFT_RATE, arrivedAt - sentAt)
      arrivedLast = arrivedAt
      if (arrivedAt - (sentAt + ahead) > MAX_LAG_MS) ahead = arrivedAt - sentAt
      last = Math.max(last, sentAt + ahead)
      return last
    },
  }
}

/** Null if the browser refuses what a participant or a server sent. That must not end the visit. */
export async function ignoreRefusal<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof InjectedScriptError) return null
    throw error
  }
}
