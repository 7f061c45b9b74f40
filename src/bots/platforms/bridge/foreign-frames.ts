import type { CDPSession, Frame } from 'playwright-core'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { isAtHostOrSubdomain } from '../page-model/state-rules.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'

/** A frame of the page's own process, a frame that is gone, or a page that is gone: none of them is a problem. */
const EXPECTED =
  /does not have a separate CDP session|detached|closed|navigat|crashed|Target|context was destroyed|No frame/i

type ForeignFrameOptions = {
  /** Hosts of the platform. Frames of other hosts and their subdomains are ignored. */
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
 * Injects our scripts into frames of the platform that the browser runs in another process, because their site differs
 * from that of the page. They have a DevTools session of their own, which exists only after the frame was opened, so
 * the scripts come slightly later than in the page itself.
 */
export function watchFramesInOtherProcesses(
  { page, context }: Pick<BrowserSlot, 'page' | 'context'>,
  { hosts, attach, detach, scripts, world, onProblem }: ForeignFrameOptions,
): void {
  const sessions = new Map<Frame, CDPSession>()

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
  /** A frame that went to another process has another session; the earlier one does not answer any more. */
  async function isAlive(cdpSession: CDPSession): Promise<boolean> {
    return cdpSession.send('Runtime.evaluate', { expression: '0' }).then(
      () => true,
      () => false,
    )
  }
  async function watchFrame(frame: Frame): Promise<void> {
    const known = sessions.get(frame)
    if (known !== undefined && (await isAlive(known))) return
    if (known !== undefined) detach(known)
    const cdpSession = await context.newCDPSession(frame)
    sessions.set(frame, cdpSession)
    await inject(cdpSession)
  }

  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() || !isAtHostOrSubdomain(frame.url(), hosts)) return
    watchFrame(frame).catch((error: unknown) => {
      const text = errorMessageOf(error)
      if (!EXPECTED.test(text)) onProblem(`failed to read a frame: ${text}`)
    })
  })
  page.on('framedetached', (frame) => {
    const known = sessions.get(frame)
    sessions.delete(frame)
    if (known !== undefined) detach(known)
  })
}
