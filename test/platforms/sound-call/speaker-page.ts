import type { Browser, Page } from 'playwright-core'

/** A page whose participants speak in tones. Each one has its own connection, as a Galène server offers it. */
export type SpeakerPage = AsyncDisposable & {
  /** Creates a stream and returns its offer. `onCandidate` gets the addresses at which the stream can be reached. */
  offer(stream: string, hertz: number, onCandidate: (candidate: object) => void): Promise<string>
  accept(stream: string, sdp: string): Promise<void>
  addCandidate(stream: string, candidate: object): Promise<void>
  waitUntilConnected(stream: string): Promise<void>
  setLoud(stream: string, isLoud: boolean): Promise<void>
  close(stream: string): Promise<void>
}

const SCRIPT = `
const streams = new Map()
const audio = new AudioContext()
globalThis.speakers = {
  async offer(id, hertz) {
    const connection = new RTCPeerConnection()
    const tone = new OscillatorNode(audio, { frequency: hertz })
    const gain = new GainNode(audio, { gain: 0 })
    const output = audio.createMediaStreamDestination()
    tone.connect(gain).connect(output)
    tone.start()
    await audio.resume()
    connection.addTransceiver(output.stream.getAudioTracks()[0], { direction: 'sendonly' })
    connection.onicecandidate = ({ candidate }) => candidate && reportCandidate(id, candidate.toJSON())
    streams.set(id, { connection, gain })
    await connection.setLocalDescription()
    return connection.localDescription.sdp
  },
  accept: (id, sdp) => streams.get(id).connection.setRemoteDescription({ type: 'answer', sdp }),
  addCandidate: (id, candidate) => streams.get(id).connection.addIceCandidate(candidate),
  isConnected: (id) => streams.get(id).connection.connectionState === 'connected',
  setLoud: (id, isLoud) => void (streams.get(id).gain.gain.value = isLoud ? 0.5 : 0),
  close: (id) => streams.get(id).connection.close(),
}`

/** Arguments of a browser in which two pages can connect without a network. */
export const SPEAKER_BROWSER_ARGUMENTS = [
  '--autoplay-policy=no-user-gesture-required',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
]

export async function openSpeakerPage(browser: Browser): Promise<SpeakerPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const listeners = new Map<string, (candidate: object) => void>()
  await page.exposeFunction('reportCandidate', (stream: string, candidate: object) =>
    listeners.get(stream)?.(candidate),
  )
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('https://speakers.invalid/')
  await page.evaluate(SCRIPT)
  const call = <Result>(name: string, ...values: unknown[]) =>
    callSpeakers<Result>(page, name, values)
  return {
    offer(stream, hertz, onCandidate) {
      listeners.set(stream, onCandidate)
      return call('offer', stream, hertz)
    },
    accept: (stream, sdp) => call('accept', stream, sdp),
    addCandidate: (stream, candidate) => call('addCandidate', stream, candidate),
    async waitUntilConnected(stream) {
      await page.waitForFunction(`speakers.isConnected('${stream}')`)
    },
    setLoud: (stream, isLoud) => call('setLoud', stream, isLoud),
    close: (stream) => call('close', stream),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

function callSpeakers<Result>(page: Page, name: string, values: unknown[]): Promise<Result> {
  return page.evaluate<Result>(
    `speakers.${name}(${values.map((value) => JSON.stringify(value)).join(',')})`,
  )
}
