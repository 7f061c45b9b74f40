import { z } from 'zod'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { randomName, evaluateInPage } from '../bridge/bridge.ts'
import { buildStreamReceiverScript } from '../bridge/build-scripts.ts'
import { decodeSamples } from '../bridge/messages.ts'
import { MAX_WIRE_ID_CHARS } from '../wire/wire-types.ts'
import type { IceServer } from './turn-servers.ts'

/** A way of the browser to reach the other side, as the browser describes it. */
export type IceCandidate = {
  candidate: string
  sdpMid?: string | null | undefined
  sdpMLineIndex?: number | null | undefined
  usernameFragment?: string | null | undefined
}

export type ConnectionSettings = {
  iceServers: readonly IceServer[]
  /** Further audio tracks of the connection are ignored. */
  maxTracks: number
  /** Labels of the data channels that the page opens. Those of the server are always read. */
  channels?: readonly string[]
}

/** An empty page of the bot, in which our script receives the sound of connections. */
export interface SoundPage {
  /** Answers an offer of a new or a known connection. Rejects when the browser refuses the offer. */
  answer(connectionId: string, sdp: string, settings: ConnectionSettings): Promise<string>
  /** Offers a new connection, or another network path for a known one. */
  offer(connectionId: string, settings: ConnectionSettings): Promise<string>
  /** Takes the server's answer to the page's offer. */
  accept(connectionId: string, sdp: string): Promise<void>
  addCandidate(connectionId: string, candidate: IceCandidate): Promise<void>
  /** Returns false if the channel is not open. */
  sendData(connectionId: string, channel: string, data: Uint8Array): Promise<boolean>
  close(connectionId: string): Promise<void>
}

/** No server has this name, and the page is never requested: a page needs an https address to use WebRTC. */
const ADDRESS = 'https://sound.invalid/'

const ID = z.string().max(MAX_WIRE_ID_CHARS)
const ENVELOPE_SCHEMA = z.tuple([
  z.number(),
  z.union([
    /** Connection, stream and track, samples in base64, the age of the first one in milliseconds, and whether silence follows. */
    z
      .tuple([z.literal('sound'), ID, ID, z.string().max(1_000_000), z.number(), z.boolean()])
      .transform(([kind, connectionId, streamId, base64, ageMs, isEnd]) => ({
        kind,
        connectionId,
        streamId,
        samples: decodeSamples(base64),
        ageMs,
        isEnd,
      })),
    z
      .tuple([z.literal('candidate'), ID, z.object({ candidate: z.string().max(2_000) }).loose()])
      .transform(([kind, connectionId, candidate]) => ({ kind, connectionId, candidate })),
    z
      .tuple([z.literal('state'), ID, z.string().max(50)])
      .transform(([kind, connectionId, state]) => ({ kind, connectionId, state })),
    z
      .tuple([z.literal('data'), ID, z.string().max(200_000)])
      .transform(([kind, connectionId, base64]) => ({
        kind,
        connectionId,
        data: Buffer.from(base64, 'base64'),
      })),
    z
      .tuple([z.literal('error'), z.string().max(2_000)])
      .transform(([kind, text]) => ({ kind, text })),
  ]),
])

/** What the script in the bot's page reports. `ageMs` is the age of the first sample. */
export type SoundPageMessage = z.output<typeof ENVELOPE_SCHEMA>[1]

export async function openSoundPage(
  { page, cdpSession, reportActivity }: BrowserSlot,
  onMessage: (message: SoundPageMessage, sentAt: number) => void,
): Promise<SoundPage> {
  const [binding, control] = [randomName(), randomName()]
  cdpSession.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== binding) return
    reportActivity()
    const { data } = ENVELOPE_SCHEMA.safeParse(tryParseJson(payload))
    if (data === undefined)
      onMessage({ kind: 'error', text: 'a message of the page is invalid' }, 0)
    else onMessage(data[1], data[0])
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
    async answer(connectionId, sdp, settings) {
      return String(await call('answer', connectionId, sdp, toConfiguration(settings)))
    },
    async offer(connectionId, settings) {
      return String(await call('offer', connectionId, toConfiguration(settings)))
    },
    async accept(connectionId, sdp) {
      await call('accept', connectionId, sdp)
    },
    async addCandidate(connectionId, candidate) {
      await call('addCandidate', connectionId, candidate)
    },
    async sendData(connectionId, channel, data) {
      return (
        (await call('sendData', connectionId, channel, Buffer.from(data).toString('base64'))) ===
        true
      )
    },
    async close(connectionId) {
      await call('close', connectionId)
    },
  }
}

function toConfiguration(settings: ConnectionSettings): object {
  return { ...settings, bundlePolicy: 'max-bundle' }
}
