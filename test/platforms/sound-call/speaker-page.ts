import type { Browser, Page } from 'playwright-core'

/** A page whose participants speak in tones. Each one has its own connection, as a Galène server offers it. */
export type SpeakerPage = AsyncDisposable & {
  /** Creates a stream and returns its offer. `onCandidate` gets the addresses at which the stream can be reached. */
  offer(stream: string, hertz: number, onCandidate: (candidate: object) => void): Promise<string>
  /** Offers one connection with a track for each voice, in a stream with the given id, and with a data channel. */
  offerTogether(
    connection: string,
    voices: ReadonlyArray<{ stream: string; hertz: number }>,
    onCandidate: (candidate: object) => void,
  ): Promise<string>
  /** Sends over the data channel of such a connection, when it is open. */
  sendData(connection: string, data: Uint8Array): Promise<void>
  accept(stream: string, sdp: string): Promise<void>
  addCandidate(stream: string, candidate: object): Promise<void>
  waitUntilConnected(stream: string): Promise<void>
  setLoud(stream: string, isLoud: boolean): Promise<void>
  close(stream: string): Promise<void>
}

const SCRIPT = `
const streams = new Map()
const audio = new AudioContext()
async function addVoice(connection, hertz) {
  const tone = new OscillatorNode(audio, { frequency: hertz })
  const gain = new GainNode(audio, { gain: 0 })
  const output = audio.createMediaStreamDestination()
  tone.connect(gain).connect(output)
  tone.start()
  await audio.resume()
  const [track] = output.stream.getAudioTracks()
  connection.addTransceiver(track, { direction: 'sendonly', streams: [output.stream] })
  return { gain, streamId: output.stream.id }
}
function createConnection(id) {
  const connection = new RTCPeerConnection()
  connection.onicecandidate = ({ candidate }) => candidate && reportCandidate(id, candidate.toJSON())
  return connection
}
globalThis.speakers = {
  async offerTogether(id, voices) {
    const connection = createConnection(id)
    const channel = connection.createDataChannel('_reliable')
    const isOpen = new Promise((resolve) => (channel.onopen = resolve))
    const ids = []
    for (const { stream, hertz } of voices) {
      const { gain, streamId } = await addVoice(connection, hertz)
      streams.set(stream, { connection, gain })
      ids.push([streamId, stream])
    }
    streams.set(id, { connection, channel, isOpen })
    await connection.setLocalDescription()
    return ids.reduce((sdp, [from, to]) => sdp.replaceAll(from, to), connection.localDescription.sdp)
  },
  async sendData(id, data) {
    const { channel, isOpen } = streams.get(id)
    await isOpen
    channel.send(Uint8Array.from(data))
  },
  async offer(id, hertz) {
    const connection = createConnection(id)
    const { gain } = await addVoice(connection, hertz)
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
    offerTogether(connection, voices, onCandidate) {
      listeners.set(connection, onCandidate)
      return call('offerTogether', connection, voices)
    },
    sendData: (connection, data) => call('sendData', connection, [...data]),
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
