import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Script } from '../src/platforms/practice/script.ts'
import { createHall } from './hall.ts'
import { sendText } from './server/answers.ts'
import { createCertificate } from './server/certificate.ts'
import { ALL_HOSTS, browserArguments } from './server/hosts.ts'
import { answer } from './server/requests.ts'
import { acceptWebSocket } from './server/web-socket.ts'
import { readKnobs, type KnobSettings } from './show/knobs.ts'
import { play } from './show/play.ts'
import type { Cast } from './show/company.ts'
import type { Show } from './show/show.ts'

export type Stage = AsyncDisposable & {
  readonly port: number
  /** What Chromium must be started with to see the stage and nothing else. */
  readonly browserArguments: readonly string[]
  /** Opens a meeting at an address of either platform; every other meeting there does not exist. */
  open: (address: string, options?: { knobs?: KnobSettings; cast?: Cast; title?: string }) => Show
  /** The same, played from a script. `finished` rejects when the stage closes before the end. */
  perform: (
    address: string,
    script: Script,
    knobs?: KnobSettings,
  ) => { show: Show; finished: Promise<void> }
}

/** Serves both platforms under their true host names on one port of this machine. */
export async function openStage({ port = 0 }: { port?: number } = {}): Promise<Stage> {
  const certificate = createCertificate(ALL_HOSTS)
  const hall = createHall()
  const server = createServer({ key: certificate.key, cert: certificate.cert })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, hall).catch((error: unknown) => {
      if (!response.headersSent) sendText(response, 500, String(error))
      else response.destroy()
    })
  })
  server.on('upgrade', (request, socket) => {
    const guest = new URL(request.url ?? '/', 'https://stage').searchParams.get('guest') ?? ''
    hall.connect(guest, acceptWebSocket(request, socket), socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const listening = (server.address() as AddressInfo).port

  return {
    port: listening,
    browserArguments: browserArguments(listening, certificate.fingerprint),
    open: (address, { knobs, cast = [], title } = {}) =>
      hall.open(address, { knobs: readKnobs(knobs), cast, title, isScripted: false }),
    perform(address, script, knobs) {
      const show = hall.open(address, {
        knobs: readKnobs(knobs),
        cast: script.people,
        title: undefined,
        isScripted: true,
      })
      return { show, finished: play(show, script) }
    },
    async [Symbol.asyncDispose]() {
      hall.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
