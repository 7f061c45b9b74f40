import type { BrowserSlot } from '../../../browser/pool/browser-slot.ts'
import { randomName } from '../../bridge/bridge.ts'
import { buildStreamReceiverScript } from '../../bridge/build-scripts.ts'
import { evaluateInPage } from '../../bridge/evaluate.ts'
import type { IceCandidate, IceServer } from '../protocol/messages.ts'
import { parseSoundPageMessage, type SoundPageMessage } from './page-messages.ts'

/** An empty page of the bot, in which our script receives the sound of streams. */
export interface SoundPage {
  /** Answers an offer of a new or a known stream. Rejects when the browser refuses the offer. */
  answer(streamId: string, sdp: string, iceServers: readonly IceServer[]): Promise<string>
  addCandidate(streamId: string, candidate: IceCandidate): Promise<void>
  close(streamId: string): Promise<void>
}

/** No server has this name, and the page is never requested from one: a page needs an https address to use WebRTC. */
const ADDRESS = 'https://galene.invalid/'

export async function openSoundPage(
  { page, cdpSession, reportActivity }: BrowserSlot,
  onMessage: (message: SoundPageMessage, sentAt: number) => void,
): Promise<SoundPage> {
  const [binding, control] = [randomName(), randomName()]
  cdpSession.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== binding) return
    reportActivity()
    const received = parseSoundPageMessage(payload)
    if (received === null) onMessage({ kind: 'error', text: 'a message of the page is invalid' }, 0)
    else onMessage(received.message, received.sentAt)
  })
  await cdpSession.send('Page.enable')
  await cdpSession.send('Runtime.enable')
  await cdpSession.send('Runtime.addBinding', { name: binding })
  await cdpSession.send('Page.addScriptToEvaluateOnNewDocument', {
    source: buildStreamReceiverScript(binding, control),
  })
  await page.route('**/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Hansard</title>' }),
  )
  await page.goto(ADDRESS)

  const call = (name: string, ...values: unknown[]) =>
    evaluateInPage(cdpSession, {
      expression: `globalThis['${control}'].${name}(${values.map((value) => JSON.stringify(value)).join(',')})`,
    })
  return {
    async answer(streamId, sdp, iceServers) {
      return String(await call('answer', streamId, sdp, { iceServers, bundlePolicy: 'max-bundle' }))
    },
    async addCandidate(streamId, candidate) {
      await call('addCandidate', streamId, candidate)
    },
    async close(streamId) {
      await call('close', streamId)
    },
  }
}
