import type { CDPSession, Frame } from 'playwright-core'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { isAtHostOrSubdomain } from '../page-model/state-rules.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'

const EXPECTED =
  /does not have a separate CDP session|detached|closed|navigat|crashed|Target|context was destroyed|Cannot find context|No frame/i

/** True for harmless errors: the frame runs in the page's own process, or the frame or the page is gone. */
export function isExpectedFrameError(error: unknown): boolean {
  return EXPECTED.test(errorMessageOf(error))
}

type ForeignFrameOptions = {
  /** The platform's hosts. Frames outside these hosts and their subdomains are ignored. */
  hosts: readonly string[]
  /** Receives the messages of our scripts in the documents of a DevTools session. */
  attach(cdpSession: CDPSession): Promise<void>
  detach(cdpSession: CDPSession): void
  scripts: { hooks: string; watcher: string }
  /** The name of our isolated world. */
  world: string
  onProblem(text: string): void
}

/**
 * Injects our scripts into the platform's frames that the browser runs in another process, because their site differs
 * from the page's. Such a frame has its own DevTools session, which exists only after the frame was opened, so the
 * scripts come slightly later than in the page itself.
 */
export function watchFramesInOtherProcesses(
  { page, context }: Pick<BrowserSlot, 'page' | 'context'>,
  { hosts, attach, detach, scripts, world, onProblem }: ForeignFrameOptions,
): void {
  const sessions = new Map<Frame, CDPSession>()
  const lastSteps = new WeakMap<Frame, Promise<void>>()

  async function inject(cdpSession: CDPSession): Promise<void> {
    await attach(cdpSession)
    await cdpSession.send('Runtime.evaluate', { expression: scripts.hooks })
    const { frameTree } = await cdpSession.send('Page.getFrameTree')
    const { executionContextId } = await cdpSession.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: world,
    })
    await cdpSession.send('Runtime.evaluate', {
      expression: scripts.watcher,
      contextId: executionContextId,
    })
  }
  /** False if the frame moved to another process. It then has another session, and this one no longer answers. */
  async function isAlive(cdpSession: CDPSession): Promise<boolean> {
    return cdpSession.send('Runtime.evaluate', { expression: '0' }).then(
      () => true,
      () => false,
    )
  }
  async function releaseSession(frame: Frame): Promise<void> {
    const known = sessions.get(frame)
    if (known === undefined) return
    sessions.delete(frame)
    detach(known)
    await known.detach()
  }
  async function watchFrame(frame: Frame): Promise<void> {
    const isOfPlatform = isAtHostOrSubdomain(frame.url(), hosts)
    const known = sessions.get(frame)
    if (known !== undefined && isOfPlatform && (await isAlive(known))) return
    await releaseSession(frame).catch(report)
    if (!isOfPlatform) return
    const cdpSession = await context.newCDPSession(frame)
    sessions.set(frame, cdpSession)
    try {
      await inject(cdpSession)
    } catch (error) {
      await releaseSession(frame).catch(report)
      throw error
    }
  }
  function report(error: unknown): void {
    if (!isExpectedFrameError(error)) onProblem(`failed to read a frame: ${errorMessageOf(error)}`)
  }
  /** Runs the steps of a frame one after the other, because a frame can navigate again before our scripts are in it. */
  function enqueue(frame: Frame, step: (frame: Frame) => Promise<void>): void {
    const previous = lastSteps.get(frame) ?? Promise.resolve()
    lastSteps.set(frame, previous.then(() => step(frame)).catch(report))
  }

  page.on('framenavigated', (frame) => {
    const isKnown = lastSteps.has(frame) || isAtHostOrSubdomain(frame.url(), hosts)
    if (frame !== page.mainFrame() && isKnown) enqueue(frame, watchFrame)
  })
  page.on('framedetached', (frame) => {
    if (lastSteps.has(frame)) enqueue(frame, releaseSession)
  })
}
