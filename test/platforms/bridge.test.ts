import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openPageBridge } from '../../src/bots/platforms/bridge/bridge.ts'
import { toPageWatcherConfig } from '../../src/bots/platforms/bridge/build-scripts.ts'
import type { BridgeMessage } from '../../src/bots/platforms/bridge/messages.ts'
import { GOOGLE_MEET_PAGE_MODEL } from '../../src/bots/platforms/google-meet/page-model.ts'
import { GOOGLE_MEET_TRAFFIC_FILTER } from '../../src/bots/platforms/google-meet/wire/wire-reader.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { createSingleBrowserPool } from '../support/browser/single-browser-pool.ts'
import { readTones } from '../support/speech/tone-language.ts'
import { waitFor } from './stage-run.ts'

const ADDRESS = 'https://meet.google.com/abc-defg-hij'
const CALL = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections'
const PAGE = `<!doctype html><html lang="en"><title>Page</title><body>
<h1>Secret heading</h1><button aria-label="Leave call">x</button><script>
  const names = () => Object.getOwnPropertyNames(window)
  const frame = document.body.appendChild(document.createElement('iframe'))
  window.report = {
    atStart: names().filter((name) => /^h\\w{24}$/.test(name)),
    inFrame: Object.getOwnPropertyNames(frame.contentWindow).filter((name) => /^h\\w{24}$/.test(name)),
    errors: [],
  }
  window.onerror = (message) => void report.errors.push(message)
</script>`

/** Opens a browser slot in which only the given pages and responses exist. */
async function openSlotWithPages(
  pages: Record<string, string>,
  {
    hosts = GOOGLE_MEET_TRAFFIC_FILTER.hosts,
    pollIntervalMs = 50,
    mediaOrigins = [],
  }: { hosts?: readonly string[]; pollIntervalMs?: number; mediaOrigins?: string[] } = {},
) {
  const pool = createSingleBrowserPool(await openSharedBrowser())
  const slot = await pool.acquire({ locale: 'en-US', mediaOrigins }, new AbortController().signal)
  await slot.context.route('**', (route) => {
    const { pathname } = new URL(route.request().url())
    const body = pages[pathname]
    return body === undefined ? route.abort() : route.fulfill({ body, contentType: 'text/html' })
  })
  const messages: BridgeMessage[] = []
  const bridge = await openPageBridge(slot, {
    trafficFilter: { ...GOOGLE_MEET_TRAFFIC_FILTER, hosts },
    watchConfig: toPageWatcherConfig(GOOGLE_MEET_PAGE_MODEL, pollIntervalMs),
    onMessage: (message) => void messages.push(message),
  })
  await slot.page.goto(ADDRESS)
  const words = () => {
    const last = messages.findLast(({ kind }) => kind === 'observation')
    return last?.kind === 'observation' ? last.observation.words : ''
  }
  return { slot, bridge, messages, words, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() }
}

test('the hooks report HTTP calls, change nothing for the page and leave no trace', async () => {
  await using opened = await openSlotWithPages({
    '/abc-defg-hij': PAGE,
    [CALL]: 'YW5zd2Vy',
    '/other': 'no',
  })
  const { page } = opened.slot
  const answers = await page.evaluate(`(async () => {
    const byRequest = await new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('POST', '${CALL}')
      request.onload = () => resolve(request.responseText)
      request.send()
    })
    const byFetch = await (await fetch('${CALL}', { method: 'POST' })).text()
    const byObject = await (await fetch(new Request('${CALL}', { method: 'POST' }))).text()
    await (await fetch('/other')).text()
    const failed = await fetch('/nowhere').catch(() => 'failed')
    const odd = await Promise.resolve(fetch({ toString() { throw new Error('odd') } })).catch(() => 'odd')
    return [byRequest, byFetch, byObject, failed, odd]
  })()`)
  assert.deepEqual(answers, ['YW5zd2Vy', 'YW5zd2Vy', 'YW5zd2Vy', 'failed', 'odd'])
  const heard = () =>
    opened.messages.flatMap((message) => (message.kind === 'traffic' ? [message.traffic] : []))
  await waitFor(() => (heard().length === 3 ? true : null))
  for (const { via, name, data } of heard()) {
    assert.deepEqual([via, name, data], ['call', 'SyncMeetingSpaceCollections', 'YW5zd2Vy'])
  }
  const report = await page.evaluate('report')
  assert.deepEqual(report, { atStart: [], inFrame: [], errors: [] })
})

test('the page is observed from a world that its scripts cannot reach', async () => {
  await using opened = await openSlotWithPages({ '/abc-defg-hij': PAGE })
  await opened.slot.page.evaluate(`(() => {
    const fail = () => { throw new Error('broken by the page') }
    for (const object of [document, Document.prototype, Element.prototype]) {
      object.querySelectorAll = fail
      object.querySelector = fail
    }
    JSON.stringify = fail
    document.querySelector = fail
    document.body.append('Asking to be let in')
  })()`)
  await waitFor(() => (opened.words().includes('Asking to be let in') ? true : null))
  assert.deepEqual(await opened.bridge.request('summarizePage'), [
    {
      address: ADDRESS,
      title: 'Page',
      language: 'en',
      headings: ['Secret heading'],
      buttons: ['Leave call'],
    },
  ])
  assert.ok(!opened.messages.some(({ kind }) => kind === 'error'))
})

test('a frame in another process is read once, until it leaves the hosts of the platform', async () => {
  const frame = '<!doctype html><title>Frame</title>In the frame<script>'
  await using opened = await openSlotWithPages(
    {
      '/abc-defg-hij':
        '<!doctype html><title>Page</title>Outside<iframe src="https://frame.test/in">',
      // The frame navigates again while our scripts are being injected.
      '/in': `${frame}for (const hash of 'abcdef') location.hash = hash</script>`,
      '/away': '<!doctype html><title>Away</title>Elsewhere',
    },
    { hosts: ['meet.google.com', 'frame.test'] },
  )
  const titles = async () => {
    const answers = (await opened.bridge.request('summarizePage')) as Array<{ title: string }>
    return answers.map(({ title }) => title)
  }
  await waitFor(() => (opened.words().includes('In the frame') ? true : null))
  // More steps in the frame than an injection needs, so that a second injection would have finished.
  const [, inner] = opened.slot.page.frames()
  for (let step = 0; step < 30; step += 1) await inner?.evaluate('0')
  assert.deepEqual(await titles(), ['Page', 'Frame'])
  await opened.slot.page.evaluate(
    `document.querySelector('iframe').src = 'https://elsewhere.test/away'`,
  )
  await waitFor(() => (opened.words() === 'Outside' ? true : null))
  assert.deepEqual(await titles(), ['Page'])
  assert.deepEqual(
    opened.messages.filter(({ kind }) => kind === 'error'),
    [],
  )
})

test('the poll interval that was set applies to pages that are opened later', async () => {
  await using opened = await openSlotWithPages(
    { '/abc-defg-hij': PAGE },
    { pollIntervalMs: 3_600_000 },
  )
  await opened.bridge.setPollInterval(20)
  await opened.slot.page.reload()
  const before = opened.messages.length
  const polls = () =>
    opened.messages.slice(before).filter(({ kind }) => kind === 'unchanged').length
  await waitFor(() => (polls() >= 3 ? true : null))
})

/** Receives stereo sound: the low tone of the word "alpha" in the left channel, and its high tone in the right one. */
const RECEIVE_STEREO = `(async () => {
  const context = new AudioContext()
  const merger = new ChannelMergerNode(context, { numberOfInputs: 2 })
  for (const [channel, frequency] of [500, 1400].entries()) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(new GainNode(context, { gain: 0.4 })).connect(merger, 0, channel)
    tone.start()
  }
  const destination = context.createMediaStreamDestination()
  merger.connect(destination)
  const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()]
  window.connections = [near, far, context]
  for (const [from, to] of [[near, far], [far, near]])
    from.addEventListener('icecandidate', ({ candidate }) => candidate && to.addIceCandidate(candidate))
  near.addTransceiver('audio', { direction: 'recvonly' })
  const stereo = ({ type, sdp }) => ({ type, sdp: sdp.replaceAll('useinbandfec=1', 'useinbandfec=1;stereo=1') })
  await near.setLocalDescription(stereo(await near.createOffer()))
  await far.setRemoteDescription(stereo(near.localDescription))
  far.getTransceivers()[0].direction = 'sendonly'
  await far.getTransceivers()[0].sender.replaceTrack(destination.stream.getAudioTracks()[0])
  await far.setLocalDescription(stereo(await far.createAnswer()))
  await near.setRemoteDescription(stereo(far.localDescription))
})()`

test('hearing that was set applies to pages that are opened later, whatever those pages replace', async () => {
  const policy =
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'unsafe-inline\'">'
  const replaceAll = `<script>
    const fail = () => { throw new Error('broken by the page') }
    for (const { prototype } of [AudioData, MediaStreamTrackProcessor, ReadableStream, ReadableStreamDefaultReader, RTCRtpReceiver, RTCTrackEvent, HTMLMediaElement, CustomEvent])
      for (const name of Object.getOwnPropertyNames(prototype)) Object.defineProperty(prototype, name, { value: fail, writable: true })
    window.MediaStreamTrackProcessor = window.Audio = window.btoa = fail
  </script>`
  await using opened = await openSlotWithPages(
    { '/abc-defg-hij': `<!doctype html><title>Page</title>${policy}${replaceAll}` },
    { mediaOrigins: ['https://meet.google.com'] },
  )
  await opened.bridge.setHearing(true)
  await opened.slot.page.reload()
  await opened.slot.page.evaluate(RECEIVE_STEREO)
  const words = () =>
    opened.messages.flatMap((message) =>
      message.kind === 'sound' ? [readTones(message.sound.samples)] : [],
    )
  await waitFor(() => (words().includes('alpha') ? true : null))
  await opened.bridge.setHearing(false)
  const end = opened.messages.findLast(({ kind }) => kind === 'sound')
  assert.ok(end?.kind === 'sound' && end.sound.isEnd)
  assert.deepEqual(
    opened.messages.filter(({ kind }) => kind === 'error'),
    [],
  )
})
